import { X509Certificate } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { type MadeCertificate, newCertificate } from '../../../../test/kit/certificates.ts'
import { isCertificateTrusted, parseCertificateAuthorities } from './read-certificate.ts'

const ca = 'basicConstraints=critical,CA:TRUE'
const root = newCertificate({ subject: '/CN=Root', extensions: ca })
const between = newCertificate({ subject: '/CN=Between', extensions: ca, issuer: root })
const leaf = newCertificate({ subject: '/CN=leaf.test', issuer: between })
const notCa = newCertificate({ subject: '/CN=Between', issuer: root })
const ofNotCa = newCertificate({ subject: '/CN=leaf.test', issuer: notCa })
const stranger = newCertificate({ subject: '/CN=Between', extensions: ca })

const read = ({ certificate }: MadeCertificate) => new X509Certificate(certificate)
const trusted = parseCertificateAuthorities([root.certificate])

describe('isCertificateTrusted', () => {
  it.each([
    ['by itself', root, [], true],
    ['over what lies between', leaf, [between], true],
    ['with the authority in it', leaf, [between, root], true],
    ['in another order', leaf, [stranger, root, between], true],
    ['with a gap', leaf, [], false],
    ['over another of that name', leaf, [stranger], false],
    ['over one that may issue nothing', ofNotCa, [notCa], false],
    ['of nobody known', stranger, [], true],
  ])('leads to an authority %s', (_, own, others, expected) => {
    expect(isCertificateTrusted(read(own), others.map(read), trusted)).toBe(expected)
  })
})
