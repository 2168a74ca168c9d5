/*
 * Sign-in by a QR code between two sessions ([R018], [R391]): the page shows a code, a device that is signed in scans and
 * confirms it, and the page that asked for the code, and no other browser, gets a session. A code lives three minutes.
 *
 * A page on the home screen of a phone is a browser of its own: a provider to which it leads comes back in the other one.
 * There the person signs in and confirms, by typing the short code that the page shows: the address alone, which others may
 * have sent, confirms nothing.
 */
import { randomInt } from 'node:crypto'
import type { features } from '@cloudoc/contract'
import { ClientType, fail } from '@cloudoc/domain'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import type { Handlers } from '../../core/call/implement.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { hashToken, sameSecret } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { assertAddress, deviceFor, deviceOf, limitHandOuts, mayTryCode, type Proof, signInWith } from '../auth/index.ts'

type Names = 'applyCode' | 'getQrCodeState' | 'scanQrCode' | 'answerQrCode'

const codeMs = 3 * 60_000
/** Signing in at a provider takes longer than scanning. */
const appCodeMs = 10 * 60_000
/** A page on the home screen asks every few seconds: its session waits no longer for it. */
const collectMs = 60_000
/** QR client type 1 ([R391]) is the web page; its sessions are those of client type 6. */
const qrClientType = 1
const webClientType = 6

interface QrCode {
  readonly state: 'waiting' | 'scanned' | 'confirmed' | 'refused' | 'handled'
  readonly clientType: number
  /** The hash of the device cookie of the browser that shows the code. Programs have none: the code is their secret. */
  readonly browser: string
  readonly address: string
  readonly agent: string
  readonly expiresAt: number
  readonly accountId: number
  readonly sessionId: number
  /** The hash of the short code that the page shows; empty: none is asked for. */
  readonly shortHash: string
  readonly confirmedAt: number
}

const qrCodes = oneTimeToken<QrCode>('qrCode')

const browserMark = (device: string | undefined): string =>
  device === undefined ? '' : hashToken(device).toString('hex')

const shortHashOf = (browser: string, typed: string): string =>
  hashToken(`${browser}:${typed.normalize('NFKC').replaceAll(/\s/g, '')}`).toString('hex')

/** The code, locked until the end of the transaction, while somebody may still answer it. */
async function openCode({ tx, now }: WriteContext, code: string): Promise<QrCode> {
  if (!(await qrCodes.lockForUpdate(tx, code))) return fail('qrInvalid')
  const found = (await qrCodes.peek(tx, code, now)) ?? fail('qrInvalid')
  if (found.state === 'refused') return fail('qrRefused')
  return found.state === 'handled' || found.state === 'confirmed' ? fail('qrHandled') : found
}

/** The handlers of the calls about QR codes. */
export function qrLoginHandlers({
  settings,
}: Pick<Services, 'settings'>): Pick<Handlers<typeof features.ways.calls>, Names> {
  return {
    async applyCode(context, { clientType }) {
      const { db, now, address, request, reply } = context
      const setting = await settings.current()
      assertAddress(setting, address)
      if (!setting.inner.login_by_qr) return fail('noPermission')
      await limitHandOuts(db, 'qrCode', address, now)
      const fromPage = request.headers['x-cloudoc-client'] === 'web'
      const isApp = fromPage && clientType === ClientType.mobile
      const expiresAt = now + (isApp ? appCodeMs : codeMs)
      const browser = fromPage ? browserMark(deviceFor(request, reply)) : ''
      const shortCode = isApp ? String(randomInt(1_000_000)).padStart(6, '0') : ''
      const value: QrCode = {
        state: 'waiting',
        clientType: clientType === qrClientType ? webClientType : clientType,
        browser,
        shortHash: isApp ? shortHashOf(browser, shortCode) : '',
        ...{ address, agent: request.headers['user-agent']?.slice(0, 300) ?? '', expiresAt },
        ...{ accountId: 0, sessionId: 0, confirmedAt: 0 },
      }
      return { code: await qrCodes.issue(db, value, expiresAt), expiresAt, shortCode }
    },

    async getQrCodeState(context, { code }) {
      const { db, now, address, request } = context
      assertAddress(await settings.current(), address)
      await limitHandOuts(db, 'qrState', address, now)
      const found = (await qrCodes.peek(db, code, now)) ?? fail('qrInvalid')
      // Who has only seen the code on a screen cannot collect the session.
      if (found.browser !== '' && !sameSecret(browserMark(deviceOf(request)), found.browser)) return fail('qrInvalid')
      if (found.state === 'waiting') return { state: 'waiting', signedIn: null }
      if (found.state === 'scanned') return fail('qrScanned')
      if (found.state === 'refused') return fail('qrRefused')
      if (found.state === 'handled') return fail('qrHandled')
      if (found.shortHash !== '' && now > found.confirmedAt + collectMs) return fail('qrInvalid')
      // Read before the new session is opened, which may end the one that has confirmed.
      let wasStrong = false
      const proof: Proof = {
        account: found.accountId,
        // The session that has confirmed has passed the second factor.
        skipsSecondFactor: true,
        async opened({ tx }, sessionId) {
          await tx.updateTable('session').set({ strong: wasStrong }).where('id', '=', sessionId).execute()
        },
        async holds({ tx }) {
          await qrCodes.lockForUpdate(tx, code)
          if ((await qrCodes.peek(tx, code, now))?.state !== 'confirmed') return fail('qrHandled')
          await qrCodes.update(tx, code, { ...found, state: 'handled' })
          const session = await tx
            .selectFrom('session')
            .select('strong')
            .where('id', '=', found.sessionId)
            .where('expires_at', '>', now)
            .executeTakeFirst()
          if (session === undefined) return fail('qrInvalid')
          wasStrong = session.strong
          return true
        },
      }
      return { state: 'confirmed', signedIn: await signInWith(context, proof, { clientType: found.clientType }) }
    },

    async scanQrCode(context, { code }) {
      const { accountId, sessionId } = actorOf(context)
      const found = await openCode(context, code)
      // One device at a time: a second one cannot answer for the first.
      if (found.state === 'scanned' && found.sessionId !== sessionId) return fail('qrHandled')
      await qrCodes.update(context.tx, code, { ...found, state: 'scanned', accountId, sessionId })
      const { address, agent, expiresAt, shortHash } = found
      return { address, agent, expiresAt, asksCode: shortHash !== '' }
    },

    async answerQrCode(context, { code, allow, shortCode }) {
      const { db, now } = context
      // Counted before the short code is compared, in a transaction of its own, so that a wrong one counts.
      const isTried = allow && shortCode !== '' && (await qrCodes.peek(db, code, now)) !== undefined
      if (isTried && !(await mayTryCode(db, `qr:${code}`, now))) return fail('sendingTooOften')
      return context.commit(async (write) => {
        const { accountId, sessionId } = actorOf(write)
        const found = await openCode(write, code)
        if (found.state !== 'scanned' || found.sessionId !== sessionId) return fail('qrInvalid')
        const isAsked = allow && found.shortHash !== ''
        if (isAsked && !sameSecret(shortHashOf(found.browser, shortCode), found.shortHash))
          return fail('wrongVerificationCode')
        await qrCodes.update(write.tx, code, {
          ...{ ...found, accountId, sessionId, confirmedAt: now },
          state: allow ? 'confirmed' : 'refused',
        })
        write.audit({ allowed: allow })
        return {}
      })
    },
  }
}
