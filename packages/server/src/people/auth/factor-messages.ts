/*
 * Codes of the second factor by short message. They go to the phone that the person confirmed when it was set up, not to
 * that of the profile, which a directory or an open session may change. A sign-in whose password was right is refused
 * with `secondFactorSent` and has sent one; the same sign-in once more, without a code, sends another.
 */
import { randomInt } from 'node:crypto'
import type { InstallationSetting } from '@cloudoc/contract'
import { type Detail, fail, maskedMobile } from '@cloudoc/domain'
import type { StagedContext } from '../../core/call/context.ts'
import type { Db } from '../../core/db/database.ts'
import type { Write } from '../../core/queue/job.ts'
import type { Services } from '../../core/services.ts'
import { isSmsSetUp, postSms } from '../../core/sms/index.ts'
import { factorOf, messageCodeHash } from './second-factor.ts'
import { mayMessage } from './throttle.ts'

const codeMs = 10 * 60_000
const everyMs = 60_000

interface Message {
  readonly phone: string
  /** `lately`: the last one, which was sent within a minute, still holds. */
  readonly state: 'sent' | 'lately' | 'tooOften' | 'notSetUp'
}

/** Sends a code to the phone that is the factor of this account; undefined if an authenticator is. */
export async function sendFactorCode(
  write: Write,
  accountId: number,
  setting: Pick<InstallationSetting, 'inner'>,
  secrets: Services['secrets'],
): Promise<Message | undefined> {
  const { tx, now } = write
  // Of two requests at once one sends.
  await tx.selectFrom('second_factor').select('phone').where('account_id', '=', accountId).forUpdate().execute()
  const factor = await factorOf(tx, accountId)
  if (factor === undefined || factor.phone === '') return undefined
  const { phone, message } = factor
  if (!isSmsSetUp(setting)) return { phone, state: 'notSetUp' }
  if (message !== undefined && now - message.sentAt < everyMs) return { phone, state: 'lately' }
  if (!(await mayMessage(tx, accountId, now, 'factor'))) return { phone, state: 'tooOften' }
  const [code, until] = [String(randomInt(1_000_000)).padStart(6, '0'), now + codeMs]
  await tx
    .updateTable('second_factor')
    .set({ code_hash: messageCodeHash(accountId, code), code_until: until, code_sent_at: now })
    .where('account_id', '=', accountId)
    .execute()
  await postSms(write, { phone, code, until }, secrets)
  return { phone, state: 'sent' }
}

const said = (phone: string): Readonly<Record<Message['state'], Detail>> => {
  const to = maskedMobile(phone)
  const sent = { zh: `已发到手机 ${to}，10 分钟内有效`, en: `it was sent to ${to} and is good for 10 minutes` }
  return {
    ...{ sent, lately: sent },
    tooOften: {
      zh: '短信发送太频繁，请过一小时再试，或输入恢复码',
      en: 'too many messages: try again in an hour, or enter a recovery code',
    },
    notSetUp: {
      zh: '公司没有设置短信网关，请输入恢复码或联系管理员',
      en: 'no gateway for messages is set up: enter a recovery code or ask an administrator',
    },
  }
}

/** Refuses a sign-in that lacks the code of the second factor. If the factor is a phone, it has sent one. */
export async function askFactor(
  { db, now }: Pick<StagedContext, 'db' | 'now'>,
  { settings, secrets }: Pick<Services, 'settings' | 'secrets'>,
  accountId: number,
): Promise<never> {
  const setting = await settings.current()
  const message = await db.transaction().execute((tx) => sendFactorCode({ tx, now }, accountId, setting, secrets))
  if (message === undefined) return fail('secondFactorDue')
  return fail('secondFactorSent', said(message.phone)[message.state])
}

/** Refuses a code of a message in place of the password where a phone is the second factor: it would be both. */
export async function assertOtherThanPhone(db: Db, accountId: number): Promise<void> {
  const factor = await factorOf(db, accountId)
  if (factor === undefined || factor.phone === '') return
  fail('signInRejected', {
    zh: '手机已用于两步验证，不能再用短信代替密码，请用密码登录或联系管理员',
    en: 'your phone is the second factor, so a message does not stand for the password: use your password or ask an administrator',
  })
}
