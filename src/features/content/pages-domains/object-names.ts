// Names of object identifiers as OpenSSL prints them.
import { ownValue } from '../../../kernel/own-value.ts'

/** Attributes of names: the short name, and the long name that texts use. */
const attributes: Record<string, readonly [short: string, long: string]> = {
  '0.9.2342.19200300.100.1.1': ['UID', 'userId'],
  '0.9.2342.19200300.100.1.3': ['mail', 'rfc822Mailbox'],
  '0.9.2342.19200300.100.1.25': ['DC', 'domainComponent'],
  '1.2.840.113549.1.9.1': ['emailAddress', 'emailAddress'],
  '1.2.840.113549.1.9.2': ['unstructuredName', 'unstructuredName'],
  '1.3.6.1.4.1.311.60.2.1.1': ['jurisdictionL', 'jurisdictionLocalityName'],
  '1.3.6.1.4.1.311.60.2.1.2': ['jurisdictionST', 'jurisdictionStateOrProvinceName'],
  '1.3.6.1.4.1.311.60.2.1.3': ['jurisdictionC', 'jurisdictionCountryName'],
  '2.5.4.3': ['CN', 'commonName'],
  '2.5.4.4': ['SN', 'surname'],
  '2.5.4.5': ['serialNumber', 'serialNumber'],
  '2.5.4.6': ['C', 'countryName'],
  '2.5.4.7': ['L', 'localityName'],
  '2.5.4.8': ['ST', 'stateOrProvinceName'],
  '2.5.4.9': ['street', 'streetAddress'],
  '2.5.4.10': ['O', 'organizationName'],
  '2.5.4.11': ['OU', 'organizationalUnitName'],
  '2.5.4.12': ['title', 'title'],
  '2.5.4.13': ['description', 'description'],
  '2.5.4.15': ['businessCategory', 'businessCategory'],
  '2.5.4.16': ['postalAddress', 'postalAddress'],
  '2.5.4.17': ['postalCode', 'postalCode'],
  '2.5.4.20': ['telephoneNumber', 'telephoneNumber'],
  '2.5.4.41': ['name', 'name'],
  '2.5.4.42': ['GN', 'givenName'],
  '2.5.4.43': ['initials', 'initials'],
  '2.5.4.44': ['generationQualifier', 'generationQualifier'],
  '2.5.4.45': ['x500UniqueIdentifier', 'x500UniqueIdentifier'],
  '2.5.4.46': ['dnQualifier', 'dnQualifier'],
  '2.5.4.65': ['pseudonym', 'pseudonym'],
  '2.5.4.97': ['organizationIdentifier', 'organizationIdentifier'],
}

const names: Record<string, string> = {
  // Keys and signatures
  '1.2.840.10040.4.1': 'dsaEncryption',
  '1.2.840.10040.4.3': 'dsaWithSHA1',
  '1.2.840.10045.2.1': 'id-ecPublicKey',
  '1.2.840.10045.4.1': 'ecdsa-with-SHA1',
  '1.2.840.10045.4.3.1': 'ecdsa-with-SHA224',
  '1.2.840.10045.4.3.2': 'ecdsa-with-SHA256',
  '1.2.840.10045.4.3.3': 'ecdsa-with-SHA384',
  '1.2.840.10045.4.3.4': 'ecdsa-with-SHA512',
  '1.2.840.113549.1.1.1': 'rsaEncryption',
  '1.2.840.113549.1.1.2': 'md2WithRSAEncryption',
  '1.2.840.113549.1.1.4': 'md5WithRSAEncryption',
  '1.2.840.113549.1.1.5': 'sha1WithRSAEncryption',
  '1.2.840.113549.1.1.8': 'mgf1',
  '1.2.840.113549.1.1.10': 'rsassaPss',
  '1.2.840.113549.1.1.11': 'sha256WithRSAEncryption',
  '1.2.840.113549.1.1.12': 'sha384WithRSAEncryption',
  '1.2.840.113549.1.1.13': 'sha512WithRSAEncryption',
  '1.2.840.113549.1.1.14': 'sha224WithRSAEncryption',
  '1.3.14.3.2.26': 'sha1',
  '1.3.101.110': 'X25519',
  '1.3.101.111': 'X448',
  '1.3.101.112': 'ED25519',
  '1.3.101.113': 'ED448',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.3.2': 'dsa_with_SHA256',
  // Extensions
  '1.3.6.1.4.1.11129.2.4.2': 'CT Precertificate SCTs',
  '1.3.6.1.4.1.11129.2.4.3': 'CT Precertificate Poison',
  '1.3.6.1.5.5.7.1.1': 'Authority Information Access',
  '1.3.6.1.5.5.7.1.3': 'qcStatements',
  '1.3.6.1.5.5.7.1.11': 'Subject Information Access',
  '1.3.6.1.5.5.7.1.24': 'TLS Feature',
  '1.3.6.1.5.5.7.48.1.5': 'OCSP No Check',
  '2.5.29.9': 'X509v3 Subject Directory Attributes',
  '2.5.29.14': 'X509v3 Subject Key Identifier',
  '2.5.29.15': 'X509v3 Key Usage',
  '2.5.29.16': 'X509v3 Private Key Usage Period',
  '2.5.29.17': 'X509v3 Subject Alternative Name',
  '2.5.29.18': 'X509v3 Issuer Alternative Name',
  '2.5.29.19': 'X509v3 Basic Constraints',
  '2.5.29.30': 'X509v3 Name Constraints',
  '2.5.29.31': 'X509v3 CRL Distribution Points',
  '2.5.29.32': 'X509v3 Certificate Policies',
  '2.5.29.33': 'X509v3 Policy Mappings',
  '2.5.29.35': 'X509v3 Authority Key Identifier',
  '2.5.29.36': 'X509v3 Policy Constraints',
  '2.5.29.37': 'X509v3 Extended Key Usage',
  '2.5.29.46': 'X509v3 Freshest CRL',
  '2.5.29.54': 'X509v3 Inhibit Any Policy',
  '2.16.840.1.113730.1.1': 'Netscape Cert Type',
  '2.16.840.1.113730.1.13': 'Netscape Comment',
  // Key usages, and other objects in extensions
  '1.3.6.1.4.1.311.2.1.21': 'Microsoft Individual Code Signing',
  '1.3.6.1.4.1.311.2.1.22': 'Microsoft Commercial Code Signing',
  '1.3.6.1.4.1.311.10.3.3': 'Microsoft Server Gated Crypto',
  '1.3.6.1.4.1.311.10.3.4': 'Microsoft Encrypted File System',
  '1.3.6.1.4.1.311.20.2.2': 'Microsoft Smartcard Login',
  '1.3.6.1.5.2.3.5': 'Signing KDC Response',
  '1.3.6.1.5.5.7.2.1': 'Policy Qualifier CPS',
  '1.3.6.1.5.5.7.2.2': 'Policy Qualifier User Notice',
  '1.3.6.1.5.5.7.3.1': 'TLS Web Server Authentication',
  '1.3.6.1.5.5.7.3.2': 'TLS Web Client Authentication',
  '1.3.6.1.5.5.7.3.3': 'Code Signing',
  '1.3.6.1.5.5.7.3.4': 'E-mail Protection',
  '1.3.6.1.5.5.7.3.5': 'IPSec End System',
  '1.3.6.1.5.5.7.3.6': 'IPSec Tunnel',
  '1.3.6.1.5.5.7.3.7': 'IPSec User',
  '1.3.6.1.5.5.7.3.8': 'Time Stamping',
  '1.3.6.1.5.5.7.3.9': 'OCSP Signing',
  '1.3.6.1.5.5.7.3.17': 'ipsec Internet Key Exchange',
  '1.3.6.1.5.5.7.48.1': 'OCSP',
  '1.3.6.1.5.5.7.48.2': 'CA Issuers',
  '1.3.6.1.5.5.7.48.3': 'AD Time Stamping',
  '1.3.6.1.5.5.7.48.5': 'CA Repository',
  '2.5.29.32.0': 'X509v3 Any Policy',
  '2.5.29.37.0': 'Any Extended Key Usage',
  '2.16.840.1.113730.4.1': 'Netscape Server Gated Crypto',
}

/** Curves: the name, the number of bits, and the NIST name if there is one. */
const curves: Record<string, readonly [name: string, bits: number, nist?: string]> = {
  '1.2.840.10045.3.1.1': ['prime192v1', 192, 'P-192'],
  '1.2.840.10045.3.1.7': ['prime256v1', 256, 'P-256'],
  '1.3.132.0.10': ['secp256k1', 256],
  '1.3.132.0.33': ['secp224r1', 224, 'P-224'],
  '1.3.132.0.34': ['secp384r1', 384, 'P-384'],
  '1.3.132.0.35': ['secp521r1', 521, 'P-521'],
  '1.3.36.3.3.2.8.1.1.7': ['brainpoolP256r1', 256],
  '1.3.36.3.3.2.8.1.1.11': ['brainpoolP384r1', 384],
  '1.3.36.3.3.2.8.1.1.13': ['brainpoolP512r1', 512],
}

/** Returns the long name of an object identifier, or the identifier itself. */
export function longNameOfOid(oid: string): string {
  return ownValue(names, oid) ?? ownValue(attributes, oid)?.[1] ?? oid
}

/** Returns the short name of an attribute type, such as `CN`, or the identifier itself. */
export function shortNameOfOid(oid: string): string {
  return ownValue(attributes, oid)?.[0] ?? oid
}

export function ellipticCurveOfOid(
  oid: string,
): readonly [name: string, bits: number, nist?: string] | undefined {
  return ownValue(curves, oid)
}
