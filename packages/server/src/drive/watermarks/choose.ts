/*
 * Chooses the watermark for a user, a file and its use ([R279], [R281]). The watermark of an external link takes
 * precedence, then the one for the user, for the highest secret level that the file reaches, for its library, and for
 * everything. If a watermark is required and none is configured, the standard one is used.
 */
import type { Watermark } from '@cloudoc/contract'
import { fail, type WatermarkLayout, type WatermarkPlaceholder, watermarkLines } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import { type Account, accountOf } from '../../core/actor.ts'
import type { Context } from '../../core/call/context.ts'
import { cachedForAll } from '../../core/db/cached.ts'
import type { Db } from '../../core/db/database.ts'
import type { Invalidations } from '../../core/db/invalidations.ts'
import { extensionPoint } from '../../core/extension-points.ts'

export interface TemplateRow {
  readonly id: number
  readonly name: string
  readonly words: string
  readonly image: string
  readonly rotate: number
  readonly padding: number
  readonly opacity: number
  readonly line_gap: number
  readonly size: number
  readonly color: string
  readonly layout: WatermarkLayout
  readonly on_preview: boolean
  readonly on_download: boolean
  readonly standard: boolean
  readonly modified_at: number
  readonly owner_id: number | null
}

interface Rule {
  readonly account: number | null
  readonly library: number | null
  readonly level: number | null
}

export type Use = 'preview' | 'download'

/** The account whose watermark is shown, where it is not the caller's. */
export type MarkedPerson = Pick<Account, 'accountId' | 'account' | 'name' | 'groupId'>

/** The applicant of a review, as one of its reviewers sees a file of it. */
export interface Applicant extends MarkedPerson {
  /** The version that the reader may look at without a right to the file: the reviewed one, while it waits for them. */
  readonly opens: number | null
}

/**
 * Finds the person under whose watermark a reviewer sees a file of a review: its applicant. Undefined if the reader does
 * not review it, or if it is about another file.
 */
export type FindApplicant = (
  db: Db,
  reviewed: { readonly reviewId: number; readonly fileId: number; readonly readerId: number; readonly now: number },
) => Promise<Applicant | undefined>

/** The features whose reviews are about files. */
export const applicants = extensionPoint<FindApplicant>('applicants of reviews')

/** Data about the request besides the account. */
export interface Asked {
  readonly person?: MarkedPerson
  /**
   * For a visitor of an external link: the link's name, whether it has a watermark, of which template (null: the
   * standard one), and the visitor's name.
   */
  readonly link?: {
    readonly name: string
    readonly marked: boolean
    readonly templateId: number | null
    readonly visitor: string
  }
}

/** A watermark with a key that identifies it: the template, and the user it is for. */
export interface Chosen {
  readonly watermark: Watermark
  readonly key: string
}

/** Returns the watermark for an item by its library and secret level. `needed`: a watermark is required. */
export type Choose = (
  item: { readonly libraryId: number; readonly level: number },
  use: Use,
  needed?: boolean,
) => Chosen | undefined

interface RuledTemplate extends TemplateRow {
  readonly rules: Rule[] | null
}

/** The templates of the company with their rules. */
export async function readTemplates(db: Db): Promise<RuledTemplate[]> {
  const { rows } = await sql<RuledTemplate>`
    select t.*, (select json_agg(json_build_object('account', account_id, 'library', library_id, 'level', level))
      from watermark_rule r where r.template_id = t.id) as rules
    from watermark_template t where t.owner_id is null order by not standard, id`.execute(db)
  return rows
}

/** The templates that a person made for their own links. */
export function readOwnTemplates(db: Db, accountId: number): Promise<TemplateRow[]> {
  return db.selectFrom('watermark_template').selectAll().where('owner_id', '=', accountId).orderBy('id').execute()
}

/** Chooses watermarks from cached templates, for code outside transactions. */
export function createCachedChoice({ db, invalidations }: { readonly db: Db; readonly invalidations: Invalidations }) {
  const keptTemplates = cachedForAll(invalidations, () => readTemplates(db))
  return async (context: Context, asked?: Asked): Promise<Choose> => choiceOf(await keptTemplates(), context, asked)
}

export type CachedChoice = ReturnType<typeof createCachedChoice>

/** Reads the rules that apply to the caller. */
export async function readChoice(context: Context, asked?: Asked): Promise<Choose> {
  return choiceOf(await readTemplates(context.db), context, asked)
}

async function choiceOf(
  templates: readonly RuledTemplate[],
  { db, actor, now, address }: Context,
  { link, person }: Asked = {},
): Promise<Choose> {
  const standard = templates.find((one) => one.standard)
  const named = link?.marked === true && link.templateId !== null ? link.templateId : undefined
  // Templates of persons are not kept with those of the company: only their links name them.
  const ofLink =
    named === undefined
      ? standard
      : (templates.find(({ id }) => id === named) ??
        (await db.selectFrom('watermark_template').selectAll().where('id', '=', named).executeTakeFirst()) ??
        standard)
  const account = person ?? (actor === undefined ? undefined : accountOf(actor))
  const isVisitor = link !== undefined || actor?.kind !== 'account'
  const hasDepartment = templates.some(({ words }) => words.includes('{department}'))
  const said = await valuesFor(
    { db, actor, now, address },
    { ...(link && { link }), ...(person && { person }), hasDepartment },
  )
  const who = isVisitor ? `v ${link?.name ?? ''} ${link?.visitor ?? ''}` : `a ${account?.accountId ?? 0}`

  const ruleFor = (libraryId: number, level: number, use: Use): TemplateRow | undefined => {
    let [best, most] = [undefined as TemplateRow | undefined, -1]
    for (const template of templates) {
      if (!(use === 'preview' ? template.on_preview : template.on_download)) continue
      for (const rule of template.rules ?? []) {
        const weight = weightOf(rule)
        if (weight > most) [best, most] = [template, weight]
      }
    }
    return best

    function weightOf(rule: Rule): number {
      if (rule.account !== null) return !isVisitor && rule.account === account?.accountId ? 10_000 : -1
      if (rule.level !== null) return level > 0 && level >= rule.level ? 100 + rule.level : -1
      if (rule.library !== null) return rule.library === libraryId ? 1 : -1
      return 0
    }
  }

  return ({ libraryId, level }, use, needed = false) => {
    const template =
      (link?.marked === true ? ofLink : undefined) ?? ruleFor(libraryId, level, use) ?? (needed ? standard : undefined)
    if (template === undefined) return undefined
    return {
      watermark: toWatermark(template, said(level)),
      key: `${template.id} ${template.modified_at} ${level} ${who} ${address}`,
    }
  }
}

/** What the placeholders of a template mean for the caller, by the level of the file. */
async function valuesFor(
  { db, actor, now, address }: Pick<Context, 'db' | 'actor' | 'now' | 'address'>,
  { link, person, hasDepartment }: Asked & { readonly hasDepartment: boolean },
): Promise<(level: number) => Partial<Record<WatermarkPlaceholder, string>>> {
  const own = actor === undefined ? undefined : accountOf(actor)
  const account = person ?? own
  const isVisitor = link !== undefined || actor?.kind !== 'account'
  const department = hasDepartment && !isVisitor && account !== undefined ? await departmentOf(db, account.groupId) : ''
  const settings = own?.settings
  return (level) => ({
    name: isVisitor ? link?.visitor || '访客' : (account?.name ?? ''),
    account: isVisitor ? '' : (account?.account ?? ''),
    department,
    time: writtenTime(now, settings?.setting.download_time_zone),
    address,
    link: link?.name ?? '',
    level: level === 0 ? '' : (settings?.secret_names[level - 1] ?? ''),
    company: settings?.company_name ?? '',
  })
}

/**
 * The watermark of one template, filled in for the caller and now. Fails if the template is neither one of the company
 * nor of the caller.
 */
export async function readWatermark(context: Context, templateId: number, level: number): Promise<Watermark> {
  const { db, actor } = context
  const ownerId = actor === undefined ? 0 : accountOf(actor).accountId
  const template = await db
    .selectFrom('watermark_template')
    .selectAll()
    .where('id', '=', templateId)
    .where((eb) => eb.or([eb('owner_id', 'is', null), eb('owner_id', '=', ownerId)]))
    .executeTakeFirst()
  if (template === undefined) return fail('notFound', 'templateId')
  const said = await valuesFor(context, { hasDepartment: template.words.includes('{department}') })
  return toWatermark(template, said(level))
}

/** The library and secret level of an item, as `Choose` needs them. */
export const placeOf = ({ library, facts }: Pick<Access, 'library' | 'facts'>) => ({
  libraryId: library.id,
  level: facts.secretLevel,
})

/** A template with its fields filled in. */
function toWatermark(template: TemplateRow, said: Partial<Record<WatermarkPlaceholder, string>>): Watermark {
  const { words, image, rotate, padding, opacity, line_gap: lineGap, size, color, layout } = template
  return { lines: watermarkLines(words, said), image, rotate, padding, opacity, lineGap, size, color, layout }
}

async function departmentOf(db: Db, groupId: number): Promise<string> {
  const row = await db.selectFrom('org_group').select('name').where('id', '=', groupId).executeTakeFirst()
  return row?.name ?? ''
}

/** The time in the company's time zone, independent of the viewer, so that leaked copies can be compared. */
function writtenTime(at: number, timeZone: string | undefined): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return format.format(at)
}
