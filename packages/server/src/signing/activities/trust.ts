/*
 * What a signature gets beside its certificate: a time stamp where an authority is configured, and what the issuers say
 * of the certificates. Both are fetched before the transaction. When the time stamp authority does not answer, the
 * setting decides: sign without a stamp, or not at all.
 */
import type { InstallationSetting } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import type { Evidence } from '../../documents/signing/index.ts'
import { RevokedCertificate, revocationOf, TimeStampFailure, timeStamp } from '../certificates/index.ts'

/** The level of a signature by PAdES: without a stamp of its time, with one, with what is needed to check it later. */
export type SignatureLevel = 'B-B' | 'B-T' | 'B-LT'

export interface Trust {
  readonly stamping: ((signature: Buffer) => Promise<Buffer | undefined>) | undefined
  readonly evidence: Evidence | undefined
  /** What was reached. */
  level(): SignatureLevel
}

/** How far the clock of the server may be from that of the time stamp service. */
const mostApartMs = 10 * 60_000

export async function trustFor(
  { inner }: Pick<InstallationSetting, 'inner'>,
  chains: readonly (readonly Buffer[])[],
  {
    at,
    signal,
    publicUrl,
  }: { readonly at: number; readonly signal: AbortSignal; readonly publicUrl?: string | undefined },
): Promise<Trust> {
  const found = await Promise.all(
    chains.map((chain) =>
      revocationOf(chain, at, signal, publicUrl).catch((error: unknown) => {
        if (!(error instanceof RevokedCertificate)) throw error
        return fail('certificateRefused', {
          zh: '证书已被发证机构吊销，不能用来签署',
          en: 'the certificate was revoked by its issuer and does not sign any more',
        })
      }),
    ),
  )
  const data = found.flatMap((one) => one ?? [])
  const evidence = {
    certificates: data.flatMap(({ certificates }) => certificates),
    ocsps: data.flatMap(({ ocsps }) => ocsps),
    crls: data.flatMap(({ crls }) => crls),
  }
  const isComplete = data.length === chains.length && data.every((one) => one.isComplete)
  const address = inner.sign_tsa_url
  let isDown = false
  let stamps = 0
  const stamping = async (signature: Buffer): Promise<Buffer | undefined> => {
    // One failure is enough: the signer does not wait for every place.
    if (isDown) return undefined
    try {
      const { token, time } = await timeStamp(address, signature, signal)
      // The stamp and the picture would tell different times: whatever the setting says, nothing is signed.
      if (Math.abs(time - at) > mostApartMs)
        return fail('timeStampFailed', {
          zh: '服务器时间与时间戳服务相差超过 10 分钟，已停止签署，请联系管理员校准服务器时间',
          en: 'the clock of the server and the time stamp service differ by more than ten minutes: nothing is signed until an administrator sets the clock',
        })
      stamps += 1
      return token
    } catch (error) {
      if (!(error instanceof TimeStampFailure)) throw error
      if (inner.sign_tsa_needed) return fail('timeStampFailed')
      isDown = true
      return undefined
    }
  }
  return {
    stamping: address === '' ? undefined : stamping,
    evidence: data.length === 0 ? undefined : evidence,
    level: () => (stamps === 0 || isDown ? 'B-B' : isComplete ? 'B-LT' : 'B-T'),
  }
}
