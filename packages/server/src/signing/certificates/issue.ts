/*
 * The certificates of electronic signatures: the authority of the company, and the certificates that it issues to
 * people. Keys are made here and stored sealed (core/secrets.ts); they never leave the server.
 */
import 'reflect-metadata'
import { randomBytes, webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'
import { signatureKey } from './signature-key.ts'

x509.cryptoProvider.set(webcrypto)

/** A certificate and its key, in DER. The key is PKCS#8. */
export interface Issued {
  readonly certificate: Buffer
  readonly key: Buffer
  /** The serial number, in hexadecimal. */
  readonly serial: string
  /** Milliseconds since 1970. */
  readonly notBefore: number
  readonly notAfter: number
}

const algorithm = (bits: number) => ({
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  publicExponent: new Uint8Array([1, 0, 1]),
  modulusLength: bits,
})

const yearMs = 365 * 24 * 60 * 60_000
/** Clocks of readers may be a little behind ours. */
const earlierMs = 5 * 60_000
const bits = { authority: 3072, person: 2048 }
/** Years that a certificate of a person is valid. */
export const personYears = 3

// Positive, as serial numbers must be.
const newSerial = (): string => `4${randomBytes(15).toString('hex')}1`.slice(0, 32)

const exported = async (key: CryptoKey): Promise<Buffer> => Buffer.from(await webcrypto.subtle.exportKey('pkcs8', key))

/** Makes the authority of a company. */
export async function makeAuthority(company: string, years: number, now: number): Promise<Issued> {
  const keys = await webcrypto.subtle.generateKey(algorithm(bits.authority), true, ['sign', 'verify'])
  const [notBefore, notAfter, serial] = [now - earlierMs, now + years * yearMs, newSerial()]
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serial,
    name: [{ CN: [company] }],
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    signingAlgorithm: algorithm(bits.authority),
    keys,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  })
  const key = await exported(keys.privateKey)
  return { certificate: Buffer.from(certificate.rawData), key, serial, notBefore, notAfter }
}

/** Issues a certificate to a person. It ends with that of the authority at the latest. */
export async function issueCertificate(
  authority: Pick<Issued, 'certificate' | 'key' | 'notAfter'>,
  holder: { readonly name: string; readonly mail: string },
  now: number,
  /** Where its authority lists what it revoked, if readers can reach that. */
  listAt?: string,
): Promise<Issued> {
  const issuer = new x509.X509Certificate(authority.certificate)
  const { privateKey: signingKey, algorithm: signingAlgorithm } = await signatureKey(
    authority.certificate,
    authority.key,
  )
  const keys = await webcrypto.subtle.generateKey(algorithm(bits.person), true, ['sign', 'verify'])
  const notBefore = now - earlierMs
  const notAfter = Math.min(now + personYears * yearMs, authority.notAfter)
  const serial = newSerial()
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: serial,
    subject: [{ CN: [holder.name] }],
    issuer: issuer.subjectName,
    notBefore: new Date(notBefore),
    notAfter: new Date(notAfter),
    signingKey,
    publicKey: keys.publicKey,
    signingAlgorithm,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature | x509.KeyUsageFlags.nonRepudiation, true),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
      ...(listAt === undefined ? [] : [new x509.CRLDistributionPointsExtension([listAt])]),
      ...(holder.mail === ''
        ? []
        : [new x509.SubjectAlternativeNameExtension([{ type: 'email', value: holder.mail }])]),
    ],
  })
  const key = await exported(keys.privateKey)
  return { certificate: Buffer.from(certificate.rawData), key, serial, notBefore, notAfter }
}

/** What a person reads of a certificate. */
export function readCertificate(der: Buffer) {
  const certificate = new x509.X509Certificate(der)
  return {
    subject: certificate.subjectName.getField('CN')[0] ?? certificate.subject,
    issuer: certificate.issuerName.getField('CN')[0] ?? certificate.issuer,
    algorithm: algorithmName(certificate.publicKey.algorithm as KeyAlgorithm),
    pem: certificate.toString('pem'),
  }
}

interface KeyAlgorithm {
  readonly name: string
  readonly modulusLength?: number
  readonly namedCurve?: string
}

/** The real algorithm of a key, with its length. */
function algorithmName(of: KeyAlgorithm): string {
  const { name, modulusLength, namedCurve } = of
  return namedCurve ?? (modulusLength === undefined ? name : `RSA ${modulusLength}`)
}
