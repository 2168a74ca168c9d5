// Reading the audit log, for the audit administrator (decisions E4).
import { z } from 'zod'
import { auditor, systemAdministrator } from '../authority.ts'
import { auditKinds, call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Id, Nothing, pageOf, rows, Time, text } from '../fields.ts'

/** An optional count in a query. */
const Moment = Count.or(z.int().min(0)).or(
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.int()),
)

/** Filters; an absent field does not filter. */
const filters = {
  kind: z.enum(auditKinds).optional(),
  /** The acting account. */
  accountId: Id.optional(),
  /** One file or folder, or all whose names contain a text. */
  itemId: Id.optional(),
  itemName: text(100).optional(),
  address: text(60).optional(),
  /** Milliseconds since 1970; `until` is exclusive. */
  since: Moment.optional(),
  until: Moment.optional(),
  /** Only refused calls. */
  refused: z.enum(['true']).optional(),
}

const Entry = z.strictObject({
  /** Its sequence number in the hash chain. */
  seq: z.int(),
  at: Time,
  kind: z.enum(auditKinds),
  call: z.string(),
  /** Null if no signed-in user did it. */
  by: z
    .strictObject({ userId: z.int(), account: z.string(), accountName: z.string(), groupName: z.string() })
    .nullable(),
  /** The actual actor if it was a visitor or a linked server. */
  outsider: z.string().nullable(),
  address: z.string(),
  /** At most five of the items concerned, and their total number. */
  items: z.array(z.strictObject({ fId: z.int(), fType: z.int(), fName: z.string() })),
  itemCount: z.int(),
  /** At most five of the users concerned, and their total number. */
  people: z.array(z.strictObject({ userId: z.int(), account: z.string(), accountName: z.string() })),
  peopleCount: z.int(),
  /** Names of what the row concerns besides items and users: a department, a role, a watermark, a linked server. */
  objects: z.array(z.string()),
  /** Result code of the refusal, or empty. */
  refused: z.string(),
  /** Further recorded data, as JSON. */
  detail: z.string(),
  hash: z.string(),
})

const Problem = z.strictObject({
  what: z.enum(['altered', 'removed', 'inserted', 'cut', 'head']),
  /** Sequence number of the row in the chain; 0 for rows outside the chain. */
  seq: z.int(),
  auditId: z.int(),
  /** Number of rows, if more than one. */
  count: z.int(),
})

const auditCalls = {
  /** A page of the audit log, newest first; the next page starts after the last row of this one. */
  getAuditList: call({
    summary: 'Lists what has happened',
    kind: 'read',
    method: 'GET',
    path: '/services2/audit/getAuditList',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: auditor,
    input: z.strictObject({ ...filters, afterAt: Moment.optional(), afterSeq: Moment.optional(), rows: rows(50, 500) }),
    data: z.strictObject({
      list: z.array(Entry),
      more: z.boolean(),
      /**
       * Set at the end of the list: archives contain further rows of the requested period. Lists do not search
       * archives.
       */
      archived: z
        .strictObject({ since: Time, until: Time, archives: z.int(), rows: z.int() })
        .nullable()
        .describe('Null where there is more, or nothing of that time is archived.'),
    }),
  }),
  /** Users whose name, account or initials contain a text, for the actor filter. */
  getAuditPeople: call({
    summary: 'Finds people whom the audit names',
    kind: 'read',
    method: 'GET',
    path: '/services2/audit/getAuditPeople',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: auditor,
    input: z.strictObject({ keyword: text(100), rows: rows(10, 50) }),
    sample: () => ({ keyword: '样' }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({ userId: z.int(), account: z.string(), accountName: z.string(), groupName: z.string() }),
      ),
    }),
  }),
  /**
   * Downloads are counted by the day on which their audit row was sealed. Names of purged items are no longer known.
   */
  getTopDownloads: call({
    summary: 'Lists what has been downloaded most often',
    kind: 'read',
    method: 'GET',
    path: '/services2/audit/getTopDownloads',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: auditor,
    input: z.strictObject({
      days: Count.pipe(z.int().min(1).max(400)).default(30),
      ...pageOf(50, 1000),
    }),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          fId: z.int(),
          fType: z.union([z.literal(1), z.literal(2)]),
          fName: z.string(),
          libraryName: z.string(),
          fileSize: z.int(),
          downloads: z.int(),
          /** Day of the last download. */
          lastTime: Time,
          isDeleted: z.boolean(),
        }),
      ),
      total: z.int(),
    }),
  }),
  /** Exports the filtered rows as a file; the export itself is recorded in the audit log. */
  exportAudit: call({
    summary: 'Takes what has happened along as a file',
    title: { zh: '导出审计', en: 'Export of audit' },
    kind: 'stream',
    method: 'GET',
    path: '/services2/audit/exportAudit',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: auditor,
    input: z.strictObject({ ...filters, format: z.enum(['csv', 'json']).default('csv') }),
    answers: '*/*',
    data: z.never(),
  }),
  /**
   * The signed heads of the hash chain, to be stored elsewhere. Comparing with them reveals a truncation of the chain.
   */
  getAuditHeads: call({
    summary: 'Tells the sealed heads of the audit',
    kind: 'read',
    method: 'GET',
    path: '/services2/audit/getAuditHeads',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: auditor,
    input: z.strictObject({}),
    data: z.strictObject({
      publicKey: z.string(),
      heads: z.array(
        z.strictObject({
          seq: z.int(),
          hash: z.string(),
          settled: z.int(),
          at: Time,
          signature: z.string(),
        }),
      ),
    }),
  }),
  /** Starts a recomputation of the whole chain; a call while one is running does not start a second one. */
  verifyAudit: call({
    servesReading: true,
    summary: 'Begins to verify the audit',
    title: { zh: '发起校验', en: 'Ask to verify' },
    kind: 'write',
    method: 'POST',
    path: '/services2/audit/verifyAudit',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: auditor,
    input: z.strictObject({}),
    data: Nothing,
  }),
  /** The sealed archive files with older audit rows, their size, and the progress of the next archive ([R287]). */
  getAuditArchives: call({
    summary: 'Lists the archives of the audit',
    kind: 'read',
    method: 'GET',
    path: '/services2/audit/getAuditArchives',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: auditor,
    input: z.strictObject({}),
    data: z.strictObject({
      list: z.array(
        z.strictObject({
          archiveId: z.int(),
          /** First and last sequence number of its rows, both inclusive. */
          fromSeq: z.int(),
          toSeq: z.int(),
          rows: z.int(),
          since: Time,
          until: Time,
          bytes: z.int(),
          createTime: Time,
        }),
      ),
      used: z.int(),
      /** 0: no limit. */
      limit: z.int(),
      /** From 0 to 1000 while an archive is created; otherwise null. */
      progress: z.int().nullable(),
      /** Why the last archive failed: no storage, or another error. */
      problem: z.enum(['', 'full', 'failed']),
    }),
  }),
  /**
   * Archives the rows before a time that is at least thirty days ago. They disappear from the lists but remain part of
   * the chain.
   */
  archiveAudit: call({
    summary: 'Begins to archive the older part of the audit',
    title: { zh: '发起归档', en: 'Ask to archive' },
    kind: 'write',
    method: 'POST',
    path: '/services2/audit/archiveAudit',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: auditor,
    input: z.strictObject({ before: Time }),
    sample: () => ({ before: 1 }),
    data: Nothing,
    codes: ['badRequest'],
  }),
  /** Downloads a stored archive: compressed JSON lines with the signed chain head after its last row. */
  downloadAuditArchive: call({
    summary: 'Takes an archive of the audit along',
    title: { zh: '下载审计归档', en: 'Download of audit archive' },
    kind: 'stream',
    method: 'GET',
    path: '/services2/audit/downloadAuditArchive',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: auditor,
    input: z.strictObject({ archiveId: Id }),
    sample: () => ({ archiveId: 987_654_321 }),
    answers: '*/*',
    data: z.never(),
    codes: ['notFound'],
  }),
  /** State of the syslog forwarding to the collector (decisions E4). */
  getSyslogStatus: call({
    summary: 'Tells how the forwarding of the audit stands',
    kind: 'read',
    method: 'GET',
    path: '/services2/audit/getSyslogStatus',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: systemAdministrator,
    input: z.strictObject({}),
    data: z.strictObject({
      /** Number of rows not yet sent. */
      waiting: z.int(),
      /** Time of the last successful sending. */
      sentAt: Time.nullable(),
      /** The last error, or empty, and since when it exists. */
      problem: z.string(),
      problemAt: Time,
    }),
  }),
  /** Progress of the verification, and the result of the last finished one. */
  getAuditVerification: call({
    summary: 'Tells what verifying the audit has found',
    kind: 'read',
    method: 'GET',
    path: '/services2/audit/getAuditVerification',
    auth: 'required',
    payload: 'none',
    origin: 'ours',
    guard: auditor,
    input: z.strictObject({}),
    data: z.strictObject({
      /** From 0 to 1000 while one is running; otherwise null. */
      progress: z.int().nullable(),
      last: z
        .strictObject({ at: Time, tookMs: z.int(), rows: z.int(), problems: z.array(Problem), problemCount: z.int() })
        .nullable(),
    }),
  }),
}

const place = { power: 'system', group: 'audit' } as const
const transports = ['tls', 'tcp', 'udp'] as const

export const audit = feature({
  about: { name: 'audit', text: 'What has happened, by whom, sealed' },
  calls: auditCalls,
  settings: {
    inner: {
      /** Syslog collector that receives the audit log; empty: none. */
      syslog_host: z.string().max(255).default(''),
      syslog_port: z.int().min(1).max(65_535).default(514),
      syslog_transport: z.enum(transports).default('tcp'),
      /** CA certificate of the collector, line by line; empty: the public CAs. */
      syslog_ca: z.array(z.string().max(200)).max(1000).default([]),
      /** Months after which the audit log is archived, one full month at a time; 0: never. */
      log_archive_months: z.int().min(0).max(120).default(0),
      /** Maximum bytes of all archives; 0: no limit. */
      log_archive_space: z.int().min(0).default(0),
    },
    administered: {
      log_archive_months: {
        label: { zh: '几个月后归档', en: 'Months until archived' },
        note: {
          zh: '满这么多个月的审计记录按整月移入归档文件，文件日志从此看不到它们，完整性校验仍然包含它们；0 表示不自动归档。',
          en: 'After so many months the audit goes into archive files, a whole month at a time: logs of files no longer show it, verifying still covers it; 0 archives nothing by itself.',
        },
        ...place,
        as: 'number',
      },
      log_archive_space: {
        label: { zh: '归档空间', en: 'Space of archives' },
        note: {
          zh: '归档文件最多占用多少，到了就停止归档，记录留在审计日志里；0 表示不限。',
          en: 'The most that archive files may take; archiving stops there and the rows stay in the log; 0 sets no limit.',
        },
        ...place,
        as: 'bytes',
      },
      syslog_host: {
        label: { zh: '日志服务器', en: 'Log server' },
        note: {
          zh: '审计按 RFC 5424（syslog）转发到这台服务器，如 siem.example.com；留空则不转发。服务器中断期间的记录在恢复后补发。',
          en: 'The audit is forwarded there by syslog (RFC 5424), such as siem.example.com; empty, it is not. What happens while it is away is sent when it is back.',
        },
        ...place,
        as: 'host',
        entered: text(255).regex(/^[\w.:-]*$/, 'a host name or an address'),
      },
      syslog_port: {
        label: { zh: '端口', en: 'Port' },
        note: { zh: 'UDP 和 TCP 常用 514，TLS 常用 6514。', en: 'Usually 514 for UDP and TCP, 6514 for TLS.' },
        ...place,
        as: 'number',
      },
      syslog_transport: {
        label: { zh: '传输方式', en: 'Transport' },
        note: {
          zh: 'UDP 可能丢失或截断记录；经过不可信的网络时请用 TLS。',
          en: 'UDP may lose rows or cut them; across a network that is not trusted, TLS.',
        },
        ...place,
        as: 'choice',
        choices: transports,
      },
      syslog_ca: {
        label: { zh: '签发机构证书', en: 'Certificate authority' },
        note: {
          zh: 'TLS：日志服务器的证书由谁签发，PEM 格式；留空则只信任公认的机构。',
          en: 'TLS: who signed the certificate of the log server, as PEM; empty, only public authorities are trusted.',
        },
        ...place,
        as: 'lines',
        entered: z.array(z.string().regex(/^[\x20-\x7e]{0,200}$/)).max(1000),
      },
    },
  },
})
