/*
 * Reads a PKCS#12 file: a key with its certificate and those above it. The password opens the file here and is not
 * kept. Only the present encryption of such files (PBES2 with AES) is read; older files are exported again.
 */
import { X509Certificate } from 'node:crypto'
import { fail } from '@cloudoc/domain'
import { fromBER, type Integer } from 'asn1js'
import * as pki from 'pkijs'
import { crypto } from './engine.ts'
import { type Issued, readCertificate } from './issue.ts'
import { signatureKey } from './signature-key.ts'

/** What a file held. */
export interface Imported extends Issued {
  /** The certificates above, in DER, from the issuer up. */
  readonly chain: readonly Buffer[]
  readonly isAuthority: boolean
}

const data = '1.2.840.113549.1.7.1'
const bags = {
  key: '1.2.840.113549.1.12.10.1.1',
  shroudedKey: '1.2.840.113549.1.12.10.1.2',
  certificate: '1.2.840.113549.1.12.10.1.3',
} as const

const refused = (zh: string, en: string): never => fail('certificateRefused', { zh, en })
const notReadable = (): never =>
  refused(
    '这不是 PKCS#12 证书文件（.p12 或 .pfx），或文件已损坏',
    'not a PKCS#12 file (.p12 or .pfx), or a damaged one',
  )
const tooOld = (): never =>
  refused(
    '证书文件用的是旧的加密方式（RC2 或 3DES），请用 AES-256 重新导出后再导入',
    'the file is encrypted in an old way (RC2 or 3DES): export it again with AES-256',
  )

/** Opens the parts of the file. A wrong password is told apart from a file that cannot be read. */
async function open(file: Buffer, password: string): Promise<{ keys: pki.PrivateKeyInfo[]; certificates: Buffer[] }> {
  const secret = new Uint8Array(Buffer.from(password, 'utf8')).buffer
  let pfx: pki.PFX
  try {
    pfx = pki.PFX.fromBER(new Uint8Array(file))
  } catch {
    return notReadable()
  }
  // The library derives the key of the checksum from ASCII passwords only. Of other ones the decryption decides.
  const isAscii = /^[\x20-\x7e]*$/.test(password)
  try {
    await pfx.parseInternalValues({ password: secret, checkIntegrity: isAscii }, crypto)
  } catch (error) {
    return /integrity/i.test(String(error)) ? fail('certificatePassword') : notReadable()
  }
  const safe = pfx.parsedValue?.authenticatedSafe ?? notReadable()
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      return /Unknown "contentEncryptionAlgorithm"/.test(String(error)) ? tooOld() : fail('certificatePassword')
    }
  }
  await guarded(() =>
    safe.parseInternalValues(
      { safeContents: safe.safeContents.map(({ contentType }) => (contentType === data ? {} : { password: secret })) },
      crypto,
    ),
  )
  const parts = (safe.parsedValue as { safeContents?: { value: pki.SafeContents }[] }).safeContents ?? []
  const keys: pki.PrivateKeyInfo[] = []
  const certificates: Buffer[] = []
  for (const bag of parts.flatMap(({ value }) => value.safeBags)) {
    if (bag.bagId === bags.key) keys.push(bag.bagValue as pki.PrivateKeyInfo)
    if (bag.bagId === bags.shroudedKey) {
      const shrouded = bag.bagValue as pki.PKCS8ShroudedKeyBag & {
        parseInternalValues(of: { password: ArrayBuffer }, by: pki.ICryptoEngine): Promise<void>
      }
      await guarded(() => shrouded.parseInternalValues({ password: secret }, crypto))
      if (shrouded.parsedValue !== undefined) keys.push(shrouded.parsedValue)
    }
    if (bag.bagId === bags.certificate) {
      const { parsedValue } = bag.bagValue as { readonly parsedValue?: unknown }
      if (parsedValue instanceof pki.Certificate) certificates.push(Buffer.from(parsedValue.toSchema(true).toBER()))
    }
  }
  return { keys, certificates }
}

/** The certificates above one, as far as they are there. */
function chainOf(own: X509Certificate, others: readonly X509Certificate[]): Buffer[] {
  const chain: X509Certificate[] = []
  let below = own
  while (chain.length < 8) {
    const above = others.find((one) => below.checkIssued(one) && one !== below && !chain.includes(one))
    if (above === undefined || above.fingerprint256 === below.fingerprint256) break
    chain.push(above)
    below = above
  }
  return chain.map(({ raw }) => raw)
}

/** Reads a file. Refused with -485, -486 or -487 where it cannot be used to sign now. */
export async function readPkcs12(file: Buffer, password: string, now: number): Promise<Imported> {
  const { keys, certificates } = await open(file, password)
  const read = certificates.map((der) => new X509Certificate(der))
  if (keys.length === 0 || read.length === 0)
    return refused('文件里没有私钥或证书，请导出时包含私钥', 'no key or no certificate in it: export it with its key')
  for (const info of keys) {
    const key = Buffer.from(info.toSchema().toBER())
    for (const own of read) {
      const signs = await signatureKey(own.raw, key).catch(() => undefined)
      if (signs === undefined || !(await signs.fits())) continue
      return accepted(own, { key, chain: chainOf(own, read), now })
    }
  }
  return refused(
    '私钥和证书不匹配，或算法不支持（支持 RSA 和 P-256、P-384 椭圆曲线；国密 SM2 不支持）',
    'the key does not fit the certificate, or its algorithm is not supported (RSA, P-256 and P-384 are; SM2 is not)',
  )
}

function accepted(
  own: X509Certificate,
  { key, chain, now }: { readonly key: Buffer; readonly chain: readonly Buffer[]; readonly now: number },
): Imported {
  const [notBefore, notAfter] = [Date.parse(own.validFrom), Date.parse(own.validTo)]
  const { subject } = readCertificate(own.raw)
  if (notAfter <= now)
    return fail('certificateExpired', {
      zh: `证书（${subject}）已在 ${own.validTo} 过期，请向发证机构续期`,
      en: `the certificate of ${subject} expired on ${own.validTo}: have it renewed by its issuer`,
    })
  if (notBefore > now)
    return fail('certificateExpired', {
      zh: `证书（${subject}）从 ${own.validFrom} 起才有效`,
      en: `the certificate of ${subject} is valid from ${own.validFrom} on`,
    })
  const { extensions = [] } = pki.Certificate.fromBER(new Uint8Array(own.raw))
  const usage = extensions.find(({ extnID }) => extnID === '2.5.29.15')
  if (!own.ca && usage !== undefined && !maySign(usage))
    return refused('这张证书不能用来签名（密钥用途不含数字签名）', 'a certificate that is not made for signatures')
  return {
    ...{ certificate: own.raw, key, serial: own.serialNumber.toLowerCase(), notBefore, notAfter, chain },
    isAuthority: own.ca,
  }
}

/** Whether the use of the key is digital signature or non-repudiation: the first two bits. */
function maySign(usage: pki.Extension): boolean {
  const { result } = fromBER(new Uint8Array(usage.extnValue.valueBlock.valueHexView))
  const [bits = 0] = (result as Integer).valueBlock.valueHexView
  return (bits & 0xc0) !== 0
}
