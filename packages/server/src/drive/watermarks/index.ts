// Watermarks: templates, rules, and the administrators' calls for them ([R279]-[R281]).
import { features, type Parsed, type WatermarkRule, type WatermarkTemplate } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type WriteContext } from '../../core/call/context.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import { readOwnTemplates, readTemplates, type TemplateRow } from './choose.ts'
import { traceHandlers } from './trace.ts'

export {
  type Applicant,
  type Asked,
  applicants,
  type CachedChoice,
  type Choose,
  type Chosen,
  createCachedChoice,
  type FindApplicant,
  type MarkedPerson,
  placeOf,
  readChoice,
  readWatermark,
} from './choose.ts'
export { canBeMarked, type MarkedContent, markedContent } from './marked.ts'
export { withTrace } from './trace.ts'

const mostTemplates = 200
/** The number of templates that a person can have of their own. */
const mostOwn = 20

const toTemplate = (row: TemplateRow): WatermarkTemplate => ({
  templateId: row.id,
  templateName: row.name,
  text: row.words,
  image: row.image,
  rotate: row.rotate,
  padding: row.padding,
  opacity: Math.round(row.opacity * 100) / 100,
  lineGap: row.line_gap,
  size: row.size,
  color: row.color,
  layout: row.layout,
  onPreview: row.on_preview,
  onDownload: row.on_download,
  isStandard: row.standard,
  isOwn: row.owner_id !== null,
  modifyTime: row.modified_at,
})

/** The watermark rules, with the names of their subjects and targets. */
async function rulesOf(db: Db): Promise<WatermarkRule[]> {
  const { rows } = await sql<WatermarkRule>`
    select r.template_id as "templateId",
      case when r.account_id is not null then 'user' when r.library_id is not null then 'library'
        when r.level is not null then 'level' else 'all' end as target,
      coalesce(r.account_id, r.library_id, r.level, 0) as "targetId",
      coalesce(a.name, i.name, '') as "targetName"
    from watermark_rule r left join account a on a.id = r.account_id left join item i on i.id = r.library_id
    order by r.id`.execute(db)
  return rows
}

/** Fails if the template is neither one of the company nor of one of these persons. */
export async function checkTemplate(db: Db, templateId: number, ...owners: readonly number[]): Promise<void> {
  const found = await db
    .selectFrom('watermark_template')
    .select('id')
    .where('id', '=', templateId)
    .where((eb) => eb.or([eb('owner_id', 'is', null), ...owners.map((id) => eb('owner_id', '=', id))]))
    .executeTakeFirst()
  if (found === undefined) fail('notFound', 'templateId')
}

const keyOf = (name: string): string => name.normalize('NFC').trim().toLowerCase()

type Saved = Parsed<typeof features.watermarks.calls.saveWatermarkTemplate>

/** Makes a template, or changes one of `templates`, among which no name occurs twice. */
async function saveAmong(
  context: WriteContext,
  templates: readonly TemplateRow[],
  { templateId, templateName, text, ...look }: Saved,
  { most, owner_id }: { readonly most: number; readonly owner_id: number | null },
): Promise<WatermarkTemplate> {
  const { tx, now } = context
  const key = keyOf(templateName)
  const known = templates.find(({ id }) => id === templateId)
  if (templateId !== undefined && known === undefined) return fail('notFound')
  if (templates.some(({ id, name }) => id !== templateId && keyOf(name) === key)) return fail('alreadyExists')
  if (known === undefined && templates.length >= most) return fail('badRequest')
  const { lineGap, onPreview, onDownload, image, rotate, padding, opacity, size, color, layout } = look
  const values = {
    ...{ name: templateName.normalize('NFC').trim(), name_key: key, words: text, image, rotate, padding, opacity },
    ...{ line_gap: lineGap, size, color, layout, on_preview: onPreview, on_download: onDownload, modified_at: now },
  }
  const row =
    known === undefined
      ? await tx
          .insertInto('watermark_template')
          .values({ ...values, owner_id })
          .returningAll()
          .executeTakeFirstOrThrow()
      : await tx
          .updateTable('watermark_template')
          .set(values)
          .where('id', '=', known.id)
          .returningAll()
          .executeTakeFirstOrThrow()
  context.audit({ template: row.id, name: row.name })
  return toTemplate(row)
}

export function watermarkHandlers(own: Db) {
  return implement(features.watermarks.calls, {
    ...traceHandlers(own),

    async getWatermarkTemplates(context) {
      const own = await readOwnTemplates(context.db, actorOf(context).accountId)
      return { list: [...(await readTemplates(context.db)), ...own].map(toTemplate) }
    },

    async saveWatermarkTemplate(context, input) {
      // Serializes writers, because two equal names would otherwise conflict at the unique index.
      await sql`lock table watermark_template in share row exclusive mode`.execute(context.tx)
      return saveAmong(context, await readTemplates(context.tx), input, { most: mostTemplates, owner_id: null })
    },

    async saveOwnWatermark(context, input) {
      const { accountId } = actorOf(context)
      // Serializes the person's own writers, for the same reason.
      await context.tx.selectFrom('account').select('id').where('id', '=', accountId).forNoKeyUpdate().execute()
      const templates = await readOwnTemplates(context.tx, accountId)
      return saveAmong(context, templates, input, { most: mostOwn, owner_id: accountId })
    },

    async deleteOwnWatermark(context, { templateId }) {
      const row = await context.tx
        .deleteFrom('watermark_template')
        .where('id', '=', templateId)
        .where('owner_id', '=', actorOf(context).accountId)
        .returning(['id', 'name'])
        .executeTakeFirst()
      if (row === undefined) return fail('notFound')
      context.audit({ template: row.id, name: row.name })
      return {}
    },

    async deleteWatermarkTemplate(context, { templateId }) {
      const row = await context.tx
        .selectFrom('watermark_template')
        .select(['id', 'name', 'standard'])
        .where('id', '=', templateId)
        .where('owner_id', 'is', null)
        .forUpdate()
        .executeTakeFirst()
      if (row === undefined) return fail('notFound')
      if (row.standard) return fail('noPermission')
      await context.tx.deleteFrom('watermark_template').where('id', '=', templateId).execute()
      context.audit({ template: row.id, name: row.name })
      return {}
    },

    async getWatermarkRules({ db }) {
      const { rows: libraries } = await sql<{ libraryId: number; libraryName: string }>`
        select l.id as "libraryId", i.name as "libraryName" from library l join item i on i.id = l.id
        where l.kind <> 'personal' and i.deleted_at is null order by i.name limit 1000`.execute(db)
      return { list: await rulesOf(db), libraries }
    },

    async setWatermarkRules(context, { watermarkRules }) {
      const { tx } = context
      await sql`lock table watermark_rule in share row exclusive mode`.execute(tx)
      const of = (target: string): number[] => [
        ...new Set(watermarkRules.filter((rule) => rule.target === target).map(({ targetId }) => targetId)),
      ]
      const templates = [...new Set(watermarkRules.map(({ templateId }) => templateId))]
      const { rows } = await sql<{ there: boolean }>`
        select (select count(*) from watermark_template where id = any(${templates}) and owner_id is null) = ${templates.length}
          and (select count(*) from account where id = any(${of('user')})) = ${of('user').length}
          and (select count(*) from library where id = any(${of('library')})) = ${of('library').length} as there`.execute(
        tx,
      )
      if (rows[0]?.there !== true) return fail('notFound')
      await tx.deleteFrom('watermark_rule').execute()
      if (watermarkRules.length > 0)
        await tx
          .insertInto('watermark_rule')
          .values(
            watermarkRules.map(({ templateId, target, targetId }) => ({
              template_id: templateId,
              account_id: target === 'user' ? targetId : null,
              library_id: target === 'library' ? targetId : null,
              level: target === 'level' ? targetId : null,
            })),
          )
          .execute()
      context.audit({ rules: watermarkRules.length })
      return { list: await rulesOf(tx) }
    },
  })
}
