// The simulation of a template: the road of a process that somebody would launch.
import type { features } from '@cloudoc/contract'
import { denial, fail, gates, roadOf, type Template, type TemplateProblem } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Handlers } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { accessToMany } from '../../drive/tree/index.ts'
import { loadAccounts } from '../../people/auth/index.ts'
import { loadWorld } from '../world.ts'
import { namedRoad, problemsOf } from './template-facts.ts'

/** Archive nodes whose folder is there, and closed to the launcher. */
async function closedFolders(
  db: Db,
  settings: Services['settings'],
  body: Template,
  launcherId: number,
  now: number,
): Promise<TemplateProblem[]> {
  const archives = body.nodes.flatMap((node) => (node.type === 'archive' && node.folderId > 0 ? [node] : []))
  const account = (await loadAccounts(db, settings, [launcherId], now)).get(launcherId)
  if (archives.length === 0 || account === undefined) return []
  const ids = archives.map(({ folderId }) => folderId)
  const found = await accessToMany(db, account, ids, now)
  const { rows } = await sql<{ id: number }>`
    select id from item where id = any(${ids}) and deleted_at is null`.execute(db)
  const closed = rows.filter(({ id }) => {
    const facts = found.get(id)?.facts
    return facts === undefined || denial(gates.upload, facts) !== undefined
  })
  return archives
    .filter(({ folderId }) => closed.some(({ id }) => id === folderId))
    .map(({ id }) => ({ node: id, problem: 'noUploadRight' as const }))
}

/** The handler of the simulation. */
export function simulationHandlers(
  settings: Services['settings'],
): Pick<Handlers<typeof features.processTemplates.calls>, 'simulateProcess'> {
  return {
    async simulateProcess(context, { body, launcherId, form, fileType }) {
      const { db, now } = context
      const problems = [...(await problemsOf(db, body)), ...(await closedFolders(db, settings, body, launcherId, now))]
      const launcher = await db.selectFrom('account').select('id').where('id', '=', launcherId).executeTakeFirst()
      if (launcher === undefined) return fail('notFound', 'launcherId')
      // A template that does not hold together has no road.
      if (!body.nodes.some(({ type }) => type === 'start')) return { steps: [], edges: [], problems }
      const asked = { template: body, launcherId, people: [], itemId: null, form, fileType, now }
      const road = roadOf(body, launcherId, await loadWorld(db, asked))
      return { steps: await namedRoad(db, body, road.steps), edges: [...road.edges], problems }
    },
  }
}
