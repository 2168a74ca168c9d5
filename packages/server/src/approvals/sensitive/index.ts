// Sensitive content: its rules, the review of files, the log.
import { features } from '@cloudoc/contract'
import { fail } from '@cloudoc/domain'
import { sql } from 'kysely'
import { actorOf, type Context, type WriteContext } from '../../core/call/context.ts'
import { localeOf } from '../../core/call/dispatcher.ts'
import { implement } from '../../core/call/implement.ts'
import type { Db } from '../../core/db/database.ts'
import type { Services } from '../../core/services.ts'
import { sendTable } from '../../drive/transfer/index.ts'
import { decide, type ReviewKind, revoke } from '../review/index.ts'
import { kindOf } from './check.ts'
import type { Detecting } from './detect.ts'
import { type SensitiveSubject, sensitiveRemoval, sensitiveReview } from './kind.ts'
import { countChecks, type ListQuery, listChecks } from './list.ts'
import { countLog, type LogQuery, readLog, writeLog } from './log.ts'
import { ruleHandlers } from './rule-handlers.ts'
import { lastRun, startRun, stopRun } from './run.ts'
import { extOf, readTextNow } from './texts.ts'
import { tryHandlers } from './try-handlers.ts'
import { showHits } from './view.ts'

export { createContentCheck, createTextCheck } from './messages.ts'

const dayMs = 24 * 60 * 60_000
const exportRows = 1000

/** The check of a call with its stored findings and the text that they are in. */
async function viewOf(context: Context, { contents }: Pick<Detecting, 'contents'>, checkId: number) {
  const { db } = context
  const check = await db.selectFrom('sensitive_file').selectAll().where('id', '=', checkId).executeTakeFirst()
  if (check === undefined) return fail('notFound')
  const ext = extOf(check.name)
  const { rows } = await sql<{
    size: number
    kind: string
    whole: boolean
    findings: Parameters<typeof showHits>[2]
    left: { path: string; reason: Exclude<(typeof check)['reason'], ''> }[]
  }>`
    select b.size, r.kind, r.whole, r.findings, r.left_out as left from sensitive_result r join blob b on b.id = r.blob_id
    where r.blob_id = ${check.blob_id}`.execute(db)
  const found = rows.find(({ kind }) => kind === kindOf(ext))
  const text =
    found === undefined
      ? undefined
      : await readTextNow(
          { db, contents },
          { blobId: check.blob_id, ext, size: found.size },
          found.whole ? 'whole' : 'extracted',
        )
  const shown = showHits(check.name, text?.sections ?? [], found?.findings ?? [], check.hits)
  return { check, shown, left: found?.left ?? [] }
}

/** The handlers of sensitive content. */
export function sensitiveHandlers(services: Services, detecting: Detecting) {
  const { settings } = services
  const { db: pool } = detecting

  const decideAs = async (
    context: WriteContext,
    kind: ReviewKind<SensitiveSubject, object>,
    checkId: number,
    approve: boolean,
    comments: string,
  ) => {
    const { tx } = context
    const check = await tx
      .selectFrom('sensitive_file')
      .select(['review_id', 'item_id'])
      .where('id', '=', checkId)
      .executeTakeFirst()
    const reviewId = check?.review_id ?? fail('alreadyHandled')
    await decide(context, settings, kind, reviewId, { approve, comments, decision: {} })
    context.audit({ checkId, itemId: check?.item_id ?? 0 })
    return {}
  }

  const logQuery = (context: Context, filters: Omit<LogQuery, 'accountId' | 'now'>): LogQuery => {
    const { accountId, powers } = actorOf(context)
    const readsAll = powers.includes('audit') || powers.includes('security')
    return { ...filters, accountId: readsAll ? undefined : accountId, now: context.now }
  }

  return implement(features.sensitiveFiles.calls, {
    async getSensitiveList(context, { side, state, days, keyword, from, rows }) {
      const { db, now } = context
      const actor = actorOf(context)
      const query: ListQuery = { side, state, since: days === 0 ? 0 : now - days * dayMs, keyword, from, rows, now }
      const [list, counts] = [await listChecks(db, actor, query), await countChecks(db, actor.accountId, query)]
      return { list, total: counts[state], counts }
    },

    async getSensitiveCount(context) {
      const { db, now } = context
      const { accountId } = actorOf(context)
      const query = { state: 'all', since: 0, keyword: '', from: 0, rows: 1, now } as const
      const mine = await countChecks(db, accountId, { ...query, side: 'mine' })
      const { waiting } = await countChecks(db, accountId, { ...query, side: 'review' })
      return { mine, waiting }
    },

    async getSensitiveDetail(context, { checkId }) {
      const { db, now } = context
      const query = { side: 'review', state: 'all', since: 0, keyword: '', from: 0, rows: 1, now, id: checkId } as const
      return (await listChecks(db, actorOf(context), query))[0] ?? fail('notFound')
    },

    async getSensitiveText(context, { checkId }) {
      const { check, shown, left } = await viewOf(context, detecting, checkId)
      await writeLog(pool, context.now, [
        {
          ...{
            what: 'viewed',
            accountId: actorOf(context).accountId,
            checkId,
            itemId: check.item_id,
            name: check.name,
          },
          version: check.version,
        },
      ])
      const { hits, total, passages } = shown
      return { hits: [...hits], total, passages: [...passages], outcome: check.outcome, reason: check.reason, left }
    },

    async getSensitiveOriginal(context, { checkId, hit }) {
      const { check, shown } = await viewOf(context, detecting, checkId)
      const text = shown.original(hit) ?? fail('notFound')
      const one = shown.hits[hit]
      const place = one === undefined ? '' : [one.path, one.name, one.cell].filter((part) => part !== '').join(' ')
      await writeLog(pool, context.now, [
        {
          ...{
            what: 'revealed',
            accountId: actorOf(context).accountId,
            checkId,
            itemId: check.item_id,
            name: check.name,
          },
          ...{ version: check.version, place: `${place} ${one?.masked ?? ''}`.trim() },
        },
      ])
      return { text }
    },

    sensitiveApprove: (context, { checkId, comments }) => decideAs(context, sensitiveReview, checkId, true, comments),
    async sensitiveReject(context, { checkId, comments }) {
      if (comments.trim() === '')
        return fail('badRequest', { zh: '请填写不放行的原因', en: 'comments: say why the file is not released' })
      return decideAs(context, sensitiveReview, checkId, false, comments)
    },
    sensitiveDelete: (context, { checkId, comments }) => decideAs(context, sensitiveRemoval, checkId, false, comments),

    async sensitiveRevoke(context, { checkId, comments }) {
      const check = await context.tx
        .selectFrom('sensitive_file')
        .select('review_id')
        .where('id', '=', checkId)
        .executeTakeFirst()
      const reviewId = check?.review_id ?? fail('alreadyHandled')
      const kindOf = () => sensitiveReview as unknown as ReviewKind
      await revoke(context, { settings, kindOf }, reviewId, comments)
      context.audit({ checkId })
      return {}
    },

    async getSensitiveLog(context, { from, rows, ...filters }) {
      const query = logQuery(context, filters)
      const counts = await countLog(context.db, query)
      const list = await readLog(context.db, query, { from, rows })
      return {
        list: list.map(toEntry),
        total: counts[query.what ?? 'all'],
        counts,
        all: query.accountId === undefined,
      }
    },

    exportSensitiveLog: (context, filters) => sendLog(context, logQuery(context, filters)),
    ...ruleHandlers(),
    ...tryHandlers(services, detecting),

    async startSensitiveRecheck(context) {
      const runId = await startRun(context, actorOf(context).accountId)
      context.audit({ runId })
      return { runId }
    },
    async stopSensitiveRecheck(context) {
      await stopRun(context)
      return {}
    },
    getSensitiveRecheck: async ({ db }) => ({ run: await lastRun(db) }),
  })
}

type LogRow = Awaited<ReturnType<typeof readLog>>[number]

const toEntry = ({ userId, userName, reason, ...row }: LogRow) => ({
  ...row,
  userId: userId ?? 0,
  userName: userName ?? '',
  reason: reason as '' | 'failed',
})

const whatLabels: Readonly<Record<LogRow['what'], readonly [zh: string, en: string]>> = {
  hit: ['命中', 'Hit'],
  uninspected: ['未检测', 'Not inspected'],
  approved: ['放行', 'Released'],
  disapproved: ['不放行', 'Not released'],
  deleted: ['删除', 'Deleted'],
  revoked: ['撤销放行', 'Release taken back'],
  viewed: ['查看命中', 'Hits looked at'],
  revealed: ['看原文', 'Original shown'],
}
const actionLabels = {
  none: ['', ''],
  note: ['备注', 'Note'],
  audit: ['送审', 'Review'],
  block: ['拦截', 'Block'],
} as const
const heads = {
  zh: ['时间', '动作', '谁', '文件', '版本', '处理', '规则', '内容', '位置'],
  en: ['Time', 'What', 'Who', 'File', 'Version', 'Action', 'Rules', 'Comments', 'Place'],
}

/** Sends the log as a table, the latest first. */
function sendLog(context: Context, query: LogQuery): Promise<void> {
  const locale = localeOf(context.request)
  const { accountId: _reader, now: _now, ...detail } = query
  return sendTable(context, {
    name: locale === 'zh' ? '敏感文件审核日志' : 'sensitive-audit-log',
    heads: heads[locale],
    pages: pagesOf(context.db, query, locale === 'zh' ? 0 : 1),
    call: 'exportSensitiveLog',
    itemId: 0,
    detail,
  })
}

async function* pagesOf(db: Db, query: LogQuery, locale: 0 | 1) {
  let after: number | undefined
  for (;;) {
    const list = await readLog(db, query, { rows: exportRows, after })
    if (list.length === 0) return
    yield list.map((one) => [
      new Date(one.time),
      whatLabels[one.what][locale],
      one.userName ?? '',
      one.fName,
      one.version,
      actionLabels[one.action][locale],
      [...new Set(one.hits.map(({ ruleName, places }) => `${ruleName} ${places}`))].join('; '),
      one.comments,
      one.place,
    ])
    after = list.at(-1)?.id
    if (list.length < exportRows) return
  }
}
