// Facts about a template: its problems, and the names of what it refers to.
import type { WorkflowRoadStep } from '@cloudoc/contract'
import { checkTemplate, nodeOf, type RoadStep, type Template, type TemplateProblem } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Db } from '../../core/db/database.ts'

/** The problems of a template, with those that only the server knows: archive folders that are gone. */
export async function problemsOf(db: Db, body: Template): Promise<TemplateProblem[]> {
  const archives = body.nodes.flatMap((node) => (node.type === 'archive' && node.folderId > 0 ? [node] : []))
  const { rows } = await sql<{ id: number }>`
    select id from item where id = any(${archives.map(({ folderId }) => folderId)}) and f_type = 2
      and deleted_at is null`.execute(db)
  const there = new Set(rows.map(({ id }) => id))
  return [
    ...checkTemplate(body),
    ...archives
      .filter(({ folderId }) => !there.has(folderId))
      .map(({ id }) => ({ node: id, problem: 'noUploadRight' as const })),
  ]
}

/** The road with names; leavers are named and marked. */
export async function namedRoad(db: Db, body: Template, road: readonly RoadStep[]): Promise<WorkflowRoadStep[]> {
  const ids = [...new Set(road.flatMap(({ people, unable }) => [...people, ...unable]))]
  const { rows } = await sql<{ id: number; name: string; gone: boolean }>`
    select id, name, state <> 'normal' or expires_at <= ${Date.now()} is true as gone
    from account where id = any(${ids})`.execute(db)
  const byId = new Map(rows.map((row) => [row.id, row]))
  const named = (people: readonly number[]): WorkflowRoadStep['people'] =>
    people.flatMap((id) => {
      const one = byId.get(id)
      if (one === undefined) return []
      return [{ userId: id, accountName: one.name, ...(one.gone && { gone: true as const }) }]
    })
  return road.map(({ people, unable, ...step }) => ({
    ...step,
    name: nodeOf(body, step.node)?.name ?? '',
    people: named(people),
    unable: named(unable),
  }))
}
