/*
 * Forgotten password by phone ([R024], [R041]): a short message brings six digits, and the requester enters them where
 * they were requested. They are exchanged for a code like those of the administrator, and set no password themselves
 * ([0127](docs/adr/0127-sign-in-codes-by-short-message.md)).
 */
import { randomInt } from 'node:crypto'
import type { features } from '@cloudoc/contract'
import { fail, mobileOf } from '@cloudoc/domain'
import type { Handlers } from '../../core/call/implement.ts'
import { oneTimeToken } from '../../core/one-time-tokens.ts'
import { hashToken, sameSecret } from '../../core/secrets.ts'
import type { Services } from '../../core/services.ts'
import { isSmsSetUp, postSms } from '../../core/sms/index.ts'
import { assertAddress, assertOtherThanPhone, limitHandOuts, mayMessage, mayTryCode } from '../auth/index.ts'
import { findPasswordTokens, issueLinks, type PasswordLink, resettableAccount } from './password-links.ts'

const codeMs = 10 * 60_000

interface MessageCode extends PasswordLink {
  readonly codeHash: string
}

const messageCodeTokens = oneTimeToken<MessageCode>('messageCode')

const hashOf = (verifyParam: string, code: string): string => hashToken(`${verifyParam}:${code}`).toString('base64')

export function passwordSmsHandlers({
  settings,
  secrets,
}: Pick<Services, 'settings' | 'secrets'>): Pick<
  Handlers<typeof features.people.calls>,
  'sendResetPwSms' | 'checkResetPwCode'
> {
  return {
    async sendResetPwSms(context, { verifyParam }) {
      const setting = await settings.current()
      assertAddress(setting, context.address)
      if (!isSmsSetUp(setting)) return fail('smsNotSetUp')
      await limitHandOuts(context.db, 'findPasswordSms', context.address, context.now)
      return context.commit(async (write) => {
        const { tx, now } = write
        const begun = (await findPasswordTokens.consume(tx, verifyParam, now)) ?? fail('notFound')
        const person = await resettableAccount(tx, begun.accountId, now)
        const phone = mobileOf(person?.phone ?? '')
        const code = String(randomInt(1_000_000)).padStart(6, '0')
        const isSent = person !== undefined && phone !== undefined && (await mayMessage(tx, person.id, now))
        // If nothing is sent, a record is stored as well, but no code matches it.
        const kept = { accountId: isSent ? person.id : 0, codeHash: hashOf(verifyParam, code) } satisfies MessageCode
        await messageCodeTokens.issueAs(tx, verifyParam, { value: kept, expiresAt: now + codeMs })
        if (!isSent) return {}
        await postSms(write, { phone, code, until: now + codeMs }, secrets)
        write.audit({ userId: person.id, account: person.account })
        return {}
      })
    },

    async checkResetPwCode(context, { verifyParam, code }) {
      const { db, now, address } = context
      assertAddress(await settings.current(), address)
      const kept = (await messageCodeTokens.peek(db, verifyParam, now)) ?? fail('notFound')
      // The attempt is counted before the code is checked, in a transaction of its own, so that a wrong code counts.
      if (!(await mayTryCode(db, verifyParam, now))) return fail('sendingTooOften')
      const typed = hashOf(verifyParam, code.normalize('NFKC').replaceAll(/\s/g, ''))
      if (!sameSecret(typed, kept.codeHash) || kept.accountId === 0) return fail('wrongVerificationCode')
      return context.commit(async (write) => {
        // Of two concurrent uses, the second finds the code consumed.
        if ((await messageCodeTokens.consume(write.tx, verifyParam, write.now)) === undefined) return fail('notFound')
        const person = (await resettableAccount(write.tx, kept.accountId, write.now)) ?? fail('notFound')
        await assertOtherThanPhone(write.tx, person.id)
        const made = await issueLinks(write.tx, [person.id], write.now, codeMs)
        write.audit({ userId: person.id, account: person.account })
        return { linkCode: made.get(person.id)?.linkCode ?? fail('serverException') }
      })
    },
  }
}
