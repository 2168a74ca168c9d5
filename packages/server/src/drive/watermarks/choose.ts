/*
 * Which watermark applies: to a person, a file and what they do with it ([R279], [R281]). What a link says comes first; then
 * what is for the person, for the highest level that the file reaches, for its library, for everything. Where one is
 * needed and nobody has named one, it is the standard one.
 */
import type { Watermark } from '@cloudoc/contract'
import { type WatermarkLayout, type WatermarkPlaceholder, watermarkLines } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Access } from '../../core/access.ts'
import { accountOf } from '../../core/actor.ts'
import type { Context } from '../../core/call/context.ts'
import { cachedForAll } from '../../core/db/cached.ts'
import type { Db } from '../../core/db/database.ts'
import type { Invalidations } from '../../core/db/invalidations.ts'

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
}

interface Rule {
  readonly account: number | null
  readonly library: number | null
  readonly level: number | null
}

export type Use = 'preview' | 'download'

/** What is known of who asks, beside their account. */
export interface Asked {
  /** By a link: what it is called, whether it bears a mark, of which template (null: the standard one), and who came. */
  readonly link?: {
    readonly name: string
    readonly marked: boolean
    readonly templateId: number | null
    readonly visitor: string
  }
}

/** A watermark with what tells it from others of its kind: the template as it is, and whom it is for. */
export interface Chosen {
  readonly watermark: Watermark
  readonly key: string
}

/** Finds the watermark over an item of a library and a level; `needed`: there has to be one. */
export type Choose = (
  item: { readonly libraryId: number; readonly level: number },
  use: Use,
  needed?: boolean,
) => Chosen | undefined

interface RuledTemplate extends TemplateRow {
  readonly rules: Rule[] | null
}

/** The templates with what they are for. */
export async function readTemplates(db: Db): Promise<RuledTemplate[]> {
  const { rows } = await sql<RuledTemplate>`
    select t.*, (select json_agg(json_build_object('account', account_id, 'library', library_id, 'level', level))
      from watermark_rule r where r.template_id = t.id) as rules
    from watermark_template t order by not standard, id`.execute(db)
  return rows
}

/** Reads what applies to who asks, by templates that are kept: for what runs in no transaction. */
export function createCachedChoice({ db, invalidations }: { readonly db: Db; readonly invalidations: Invalidations }) {
  const keptTemplates = cachedForAll(invalidations, () => readTemplates(db))
  return async (context: Context, asked?: Asked): Promise<Choose> => choiceOf(await keptTemplates(), context, asked)
}

export type CachedChoice = ReturnType<typeof createCachedChoice>

/** Reads what applies to who asks. */
export async function readChoice(context: Context, asked?: Asked): Promise<Choose> {
  return choiceOf(await readTemplates(context.db), context, asked)
}

async function choiceOf(
  templates: readonly RuledTemplate[],
  { db, actor, now, address }: Context,
  { link }: Asked = {},
): Promise<Choose> {
  const standard = templates.find((one) => one.standard)
  const account = actor === undefined ? undefined : accountOf(actor)
  const isVisitor = link !== undefined || actor?.kind !== 'account'
  const hasDepartment = !isVisitor && templates.some(({ words }) => words.includes('{department}'))
  const department = hasDepartment && account !== undefined ? await departmentOf(db, account.groupId) : ''
  const settings = account?.settings
  const said = (level: number): Partial<Record<WatermarkPlaceholder, string>> => ({
    name: isVisitor ? link?.visitor || '访客' : (account?.name ?? ''),
    account: isVisitor ? '' : (account?.account ?? ''),
    department,
    time: writtenTime(now, settings?.setting.download_time_zone),
    address,
    link: link?.name ?? '',
    level: level === 0 ? '' : (settings?.secret_names[level - 1] ?? ''),
    company: settings?.company_name ?? '',
  })
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
    const ofLink = link?.marked === true ? (templates.find(({ id }) => id === link.templateId) ?? standard) : undefined
    const template = ofLink ?? ruleFor(libraryId, level, use) ?? (needed ? standard : undefined)
    if (template === undefined) return undefined
    return {
      watermark: toWatermark(template, said(level)),
      key: `${template.id} ${template.modified_at} ${level} ${who} ${address}`,
    }
  }
}

/** Where an item lies, as a choice asks it. */
export const placeOf = ({ library, facts }: Pick<Access, 'library' | 'facts'>) => ({
  libraryId: library.id,
  level: facts.secretLevel,
})

/** A template as it is drawn. */
function toWatermark(template: TemplateRow, said: Partial<Record<WatermarkPlaceholder, string>>): Watermark {
  const { words, image, rotate, padding, opacity, line_gap: lineGap, size, color, layout } = template
  return { lines: watermarkLines(words, said), image, rotate, padding, opacity, lineGap, size, color, layout }
}

async function departmentOf(db: Db, groupId: number): Promise<string> {
  const row = await db.selectFrom('org_group').select('name').where('id', '=', groupId).executeTakeFirst()
  return row?.name ?? ''
}

/** As the clock of the company stands, whoever looks from wherever: one leak is compared with others. */
function writtenTime(at: number, timeZone: string | undefined): string {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  return format.format(at)
}
