// Checks settings of a mailbox step by step ([R289]): receive, sign in, send, sign in to send.
import type { Answer, CheckStep, features } from '@cloudoc/contract'
import type { Locale } from '@cloudoc/domain'
import { MailFailure, problemText } from '../../core/mail/index.ts'
import { openEws, tryExchange } from '../exchange/index.ts'
import { openImap, openPop, passwordIn, whereOf, withSmtp } from './connections.ts'
import type { Credential } from './credentials.ts'
import type { BoxSettings, Place } from './settings.ts'

type Outcome = Answer<typeof features.mailboxes.calls.checkMailbox>
type Step = Outcome['steps'][number]

/** A check ends after this time, whatever the servers do. */
const wholeMs = 45_000

/** Tries the settings. Each step says what to check, in the language of the caller. */
export async function checkBox(
  box: BoxSettings,
  credential: Credential,
  localHosts: readonly string[],
  locale: Locale,
  gone: AbortSignal,
): Promise<Outcome> {
  const reaching = { localHosts, signal: AbortSignal.any([gone, AbortSignal.timeout(wholeMs)]) }
  const received = await tried(box.receive, ['receive', 'signIn'], 'receive', locale, async () => {
    if (box.overEws) await tryExchange(openEws(box, passwordIn(credential), reaching))
    else if (box.protocol === 'pop3') await (await openPop(box, credential, reaching)).QUIT()
    else await (await openImap(box, credential, reaching)).logout()
  })
  const sent: Step[] =
    box.send === undefined
      ? // Exchange also sends what is written.
        box.overEws
        ? received.map((step, n) => ({ ...step, step: n === 0 ? 'send' : 'sendSignIn' }))
        : skipped(['send', 'sendSignIn'])
      : await tried(box.send, ['send', 'sendSignIn'], 'send', locale, () =>
          withSmtp(box, credential, reaching, () => Promise.resolve()),
        )
  const steps = [...received, ...sent]
  return { passed: steps.every(({ state }) => state !== 'failed'), steps }
}

const skipped = (steps: readonly CheckStep[]): Step[] =>
  steps.map((step) => ({ step, state: 'skipped', where: '', ms: 0, problem: '', field: '' }))

/** Runs a connection of two steps: a failure of the sign-in means that the first step has passed. */
async function tried(
  place: Place,
  [first, second]: readonly [CheckStep, CheckStep],
  field: 'receive' | 'send',
  locale: Locale,
  run: () => Promise<void>,
): Promise<Step[]> {
  const since = performance.now()
  const took = (): number => Math.round(performance.now() - since)
  const where = whereOf(place)
  const passed = (step: CheckStep): Step => ({ step, state: 'passed', where, ms: took(), problem: '', field: '' })
  try {
    await run()
    return [passed(first), passed(second)]
  } catch (error) {
    const failure = error instanceof MailFailure ? error : new MailFailure('silent', '', false, error)
    const problem = problemText(failure.code, failure.message)[locale]
    const isSignIn = failure.code === 'signIn' || failure.code === 'limit'
    const failed = (step: CheckStep): Step => ({
      ...{ step, state: 'failed', where, ms: took(), problem },
      field: failure.code === 'signIn' ? 'password' : field,
    })
    return isSignIn ? [passed(first), failed(second)] : [failed(first), ...skipped([second])]
  }
}
