import { X509Certificate } from 'node:crypto'
import { rootCertificates } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { newCertificate, printed } from '../../../../test/kit/certificates.ts'
import { DerError } from '../../../kernel/der.ts'
import { formatDistinguishedNameWithSlashes } from './distinguished-name.ts'
import { formatX509CertificateAsText, parseX509Certificate } from './print-certificate.ts'

function both(pem: string) {
  const certificate = parseX509Certificate(new X509Certificate(pem).raw)
  return {
    text: formatX509CertificateAsText(certificate),
    subject: formatDistinguishedNameWithSlashes(certificate.subject),
  }
}

const usual = `
basicConstraints=critical,CA:TRUE,pathlen:2
keyUsage=critical,digitalSignature,keyCertSign,cRLSign
extendedKeyUsage=serverAuth,clientAuth,1.2.3.4
subjectKeyIdentifier=hash
authorityKeyIdentifier=keyid,issuer:always
subjectAltName=DNS:a.example,DNS:*.b.example,IP:10.1.2.3,IP:2001:db8::1,email:me@x.test,URI:http://x.test/,RID:1.2.3.4,otherName:1.3.6.1.4.1.311.20.2.3;UTF8:u@x.test,otherName:1.2.3.5;UTF8:z,dirName:folder
issuerAltName=DNS:issuer.test
authorityInfoAccess=OCSP;URI:http://o.test,caIssuers;URI:http://i.test
crlDistributionPoints=URI:http://c1.test/a,list
certificatePolicies=2.23.140.1.2.1,@policy,2.5.29.32.0
policyConstraints=requireExplicitPolicy:3,inhibitPolicyMapping:1
inhibitAnyPolicy=2
nameConstraints=permitted;DNS:ok.test,permitted;IP:10.0.0.0/255.0.0.0,excluded;email:x.test
tlsfeature=status_request
nsComment=A comment
nsCertType=server,client
noCheck=ignored
1.2.3.4.5=ASN1:UTF8String:hello world
1.2.3.4.6=critical,DER:01:02:41:42:0a:43
[folder]
C=DE
CN=dir/na+me
[list]
fullname=URI:http://c2.test/b
CRLissuer=dirName:folder
reasons=keyCompromise, CACompromise
[policy]
policyIdentifier=1.3.5.8
CPS.1=http://cps.test/
userNotice.1=@notice
[notice]
explicitText=Explicit Text Here
organization=Org Name
noticeNumbers=1,2,3`

const hexOf = (octets: number[]) => octets.map((o) => o.toString(16).padStart(2, '0')).join(':')
const timestamp = hexOf([
  ...[0x04, 0x7a, 0x00, 0x78, 0x00, 0x76, 0x00, ...Array(32).keys()],
  ...[0, 0, 1, 0x8c, 0, 0x11, 0x22, 0x33, 0, 0, 4, 3, 0, 0x47, ...Array(71).keys()],
])

describe('formatX509CertificateAsText', () => {
  it.each([
    [
      'RSA, parts of names together',
      { kind: 'rsa', subject: '/C=US/O=Example, Inc./OU=a+OU=b/CN=na me' },
    ],
    ['the usual extensions', { kind: 'rsa', extensions: usual }],
    [
      'P-256',
      { kind: 'p256', subject: '/CN="quo\\\\ted"/O= lead/L=trail /ST=#hash/emailAddress=a@b.c' },
    ],
    ['P-384', { kind: 'p384', extensions: usual, more: ['-sha384'] }],
    ['Ed25519, letters of the world', { kind: 'ed25519', subject: '/CN=é ü/O=Ж/DC=x/UID=u/GN=g' }],
    ['a small number', { more: ['-set_serial', '4096'] }],
    ['a number below zero', { more: ['-set_serial', '-77'] }],
    ['a number of 64 bits', { more: ['-set_serial', '0x8000000000000001'] }],
    ['a name with nothing in it', { subject: '/' }],
    [
      'RSA-PSS',
      { kind: 'rsa', more: ['-sigopt', 'rsa_padding_mode:pss', '-sigopt', 'rsa_pss_saltlen:32'] },
    ],
    ['a timestamp of a log', { extensions: `1.3.6.1.4.1.11129.2.4.2=DER:${timestamp}` }],
  ] as const)('prints %s as the real program does', (_, options) => {
    const { certificate } = newCertificate(options)
    expect(both(certificate)).toEqual(printed(certificate))
  })

  it('prints authorities as the real program does', () => {
    for (const pem of rootCertificates.filter((_, at) => at % 8 === 0)) {
      expect(both(pem)).toEqual(printed(pem))
    }
  })

  it('reads no half of a certificate', () => {
    const { raw } = new X509Certificate(newCertificate({ extensions: usual }).certificate)
    for (let length = 0; length < raw.length; length += 7) {
      expect(() => parseX509Certificate(raw.subarray(0, length))).toThrow(DerError)
    }
  })
})
