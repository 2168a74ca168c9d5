/*
 * Signs the bytes of a PDF as ETSI.CAdES.detached (PAdES baseline B-B): a CMS signature whose signed attributes are the
 * type of the content, its digest, and the certificate of the signer (signing-certificate-v2). With a time stamp of the
 * signature it is of level B-T.
 */
import { createHash } from 'node:crypto'
import { Signer } from '@signpdf/utils'
import { fromBER, ObjectIdentifier, OctetString, Sequence } from 'asn1js'
import * as pki from 'pkijs'
import { crypto } from './engine.ts'
import { signatureKey } from './signature-key.ts'

/** A key with its certificate and those above it, in DER. */
export interface SigningKey {
  /** PKCS#8 in DER. */
  readonly key: Buffer
  /** The signer's first, then the authority's. */
  readonly chain: readonly Buffer[]
}

const oids = {
  data: '1.2.840.113549.1.7.1',
  signedData: '1.2.840.113549.1.7.2',
  contentType: '1.2.840.113549.1.9.3',
  messageDigest: '1.2.840.113549.1.9.4',
  timeStamp: '1.2.840.113549.1.9.16.2.14',
  signingCertificateV2: '1.2.840.113549.1.9.16.2.47',
} as const

const attribute = (type: string, value: pki.AttributeParameters['values']): pki.Attribute =>
  new pki.Attribute({ type, values: value ?? [] })

/** The certificate of the signer as an attribute (RFC 5035): its digest by SHA-256, which is the default and not named. */
const certificateAttribute = (certificate: Buffer): pki.Attribute => {
  const digest = createHash('sha256').update(certificate).digest()
  const one = new Sequence({ value: [new OctetString({ valueHex: digest })] })
  return attribute(oids.signingCertificateV2, [new Sequence({ value: [new Sequence({ value: [one] })] })])
}

/** Answers the token of a time stamp of these bytes, in DER, or undefined without one. */
export type Stamping = (signature: Buffer) => Promise<Buffer | undefined>

/** A signer for `@signpdf/signpdf`. */
export class CadesSigner extends Signer {
  readonly #key: SigningKey
  readonly #stamping: Stamping | undefined

  constructor(key: SigningKey, stamping?: Stamping) {
    super()
    this.#key = key
    this.#stamping = stamping
  }

  override async sign(content: Buffer): Promise<Buffer> {
    const { key, chain } = this.#key
    const certificates = chain.map((der) => pki.Certificate.fromBER(der))
    const [own] = certificates
    const [ownDer] = chain
    if (own === undefined || ownDer === undefined) throw new Error('no certificate')
    const digest = createHash('sha256').update(content).digest()
    // DER orders the members of a set by their bytes.
    const attributes = [
      attribute(oids.contentType, [new ObjectIdentifier({ value: oids.data })]),
      attribute(oids.messageDigest, [new OctetString({ valueHex: digest })]),
      certificateAttribute(ownDer),
    ].toSorted((a, b) => Buffer.compare(Buffer.from(a.toSchema().toBER()), Buffer.from(b.toSchema().toBER())))
    const signed = new pki.SignedData({
      version: 1,
      encapContentInfo: new pki.EncapsulatedContentInfo({ eContentType: oids.data }),
      signerInfos: [
        new pki.SignerInfo({
          version: 1,
          sid: new pki.IssuerAndSerialNumber({ issuer: own.issuer, serialNumber: own.serialNumber }),
          signedAttrs: new pki.SignedAndUnsignedAttributes({ type: 0, attributes }),
        }),
      ],
      certificates,
    })
    const { privateKey } = await signatureKey(ownDer, key)
    await signed.sign(privateKey, 0, 'SHA-256', undefined, crypto)
    const [signer] = signed.signerInfos
    const token = await this.#stamping?.(Buffer.from(signer?.signature.valueBlock.valueHexView ?? []))
    if (signer !== undefined && token !== undefined) {
      const stamp = attribute(oids.timeStamp, [fromBER(new Uint8Array(token)).result])
      signer.unsignedAttrs = new pki.SignedAndUnsignedAttributes({ type: 1, attributes: [stamp] })
    }
    const info = new pki.ContentInfo({ contentType: oids.signedData, content: signed.toSchema(true) })
    return Buffer.from(info.toSchema().toBER(false))
  }
}
