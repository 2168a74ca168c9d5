// Keys to sign with, of the algorithm that their certificate names: RSA, or an elliptic curve.
import { webcrypto } from 'node:crypto'
import 'reflect-metadata'
import * as x509 from '@peculiar/x509'

type Algorithm = { readonly name: string; readonly hash: 'SHA-256'; readonly namedCurve?: string }

/** The algorithm by which the key of a certificate signs. */
export function signatureAlgorithm(certificate: Buffer): Algorithm {
  const { name, namedCurve } = new x509.X509Certificate(certificate).publicKey.algorithm as {
    readonly name: string
    readonly namedCurve?: string
  }
  const hash = 'SHA-256'
  return namedCurve === undefined ? { name: 'RSASSA-PKCS1-v1_5', hash } : { name, namedCurve, hash }
}

/** A key of a certificate. `fits`: whether it is really the key of that certificate. */
export async function signatureKey(certificate: Buffer, key: Buffer) {
  const algorithm = signatureAlgorithm(certificate)
  const privateKey = await webcrypto.subtle.importKey('pkcs8', new Uint8Array(key), algorithm, false, ['sign'])
  return {
    privateKey,
    algorithm,
    async fits(): Promise<boolean> {
      const probe = Buffer.from('cloudoc')
      const made = await webcrypto.subtle.sign(algorithm, privateKey, probe)
      const open = await new x509.X509Certificate(certificate).publicKey.export(algorithm, ['verify'], webcrypto)
      return webcrypto.subtle.verify(algorithm, open, made, probe)
    },
  }
}
