/*
 * Test events. The sample of a push is made from the schema of its payload, about things that the caller has: their own
 * library and account. It goes to the sessions of the caller that are connected to this process, and is stored nowhere.
 */
import { features, type PushCatalogue } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type Context } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Services } from '../../core/services.ts'
import { type About, samplePayload } from './samples.ts'

/** Pushes after which a client has no session any more. */
const endings: ReadonlySet<string> = new Set(['loginElsewhere'])

/** What samples are about: the library and the account of the caller. */
async function aboutOf(context: Context): Promise<About> {
  const { accountId, name, account } = actorOf(context)
  const { rows } = await sql<{ id: number; name: string }>`
    select i.id, i.name from library l join item i on i.id = l.id
    where l.kind = 'personal' and l.owner_id = ${accountId}`.execute(context.db)
  const [library] = rows
  return {
    now: context.now,
    userId: accountId,
    account,
    person: name,
    itemId: library?.id ?? 0,
    item: library?.name ?? name,
  }
}

/** The handlers of test events. */
export function testEventHandlers({ pushes, listening, say }: Pick<Services, 'pushes' | 'listening' | 'say'>) {
  const sampled = (of: PushCatalogue, about: About) =>
    Object.entries(of).map(([name, { payload }]) => ({ name, payload: samplePayload(payload, about) }))
  return implement(features.testEvents.calls, {
    async getTestPushes(context) {
      const about = await aboutOf(context)
      return {
        list: sampled(pushes, about).map(({ name, payload }) => {
          const { type = 0, summary = '', delivery = 'ephemeral' } = pushes[name] ?? {}
          return { name, type, summary, delivery, ends: endings.has(name), sample: JSON.stringify(payload, null, 2) }
        }),
      }
    },

    async sendTestPush(context, { name }) {
      const { accountId } = actorOf(context)
      const about = await aboutOf(context)
      const one = Object.hasOwn(pushes, name) ? pushes[name] : undefined
      if (name !== '' && one === undefined) return fail('notFound')
      const chosen = one === undefined ? pushes : { [name]: one }
      const sent = sampled(chosen, about).filter((sample) => name !== '' || !endings.has(sample.name))
      const own = new Set([...listening()].flatMap(([id, actor]) => (actor.accountId === accountId ? [id] : [])))
      await context.commit((write) => {
        write.audit({ kind: name, count: sent.length })
        return Promise.resolve()
      })
      for (const push of sent) await say(own, push)
      return { count: sent.length, clients: own.size }
    },
  })
}
