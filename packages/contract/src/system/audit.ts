// Reading what happened, for the audit administrator (admin.md E4).
import { z } from 'zod'
import { auditor, systemAdministrator } from '../authority.ts'
import { auditKinds, call } from '../call.ts'
import { feature } from '../feature.ts'
import { Count, Id, Nothing, rows, Time, text } from '../fields.ts'

/** A count that may be left out of a query. */
const Moment = Count.or(z.int().min(0)).or(
  z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number)
    .pipe(z.int()),
)

/** What is looked for; what is left out is no condition. */
const filters = {
  kind: z.enum(auditKinds).optional(),
  /** Who did it. */
  accountId: Id.optional(),
  /** One file or folder, or all whose names hold a text. */
  itemId: Id.optional(),
  itemName: text(100).optional(),
  address: text(60).optional(),
  /** Milliseconds since 1970; `until` is not within. */
  since: Moment.optional(),
  until: Moment.optional(),
  /** Only what was refused. */
  refused: z.enum(['true']).optional(),
}

const Entry = z.strictObject({
  /** Its number in the chain. */
  seq: z.int(),
  at: Time,
  kind: z.enum(auditKinds),
  call: z.string(),
  /** Null where nobody signed in did it. */
  by: z
    .strictObject({ userId: z.int(), account: z.string(), accountName: z.string(), groupName: z.string() })
    .nullable(),
  /** Who it really was, where that was a visitor or a linked server. */
  outsider: z.string().nullable(),
  address: z.string(),
  /** At most five of the items it was about, and how many there were. */
  items: z.array(z.strictObject({ fId: z.int(), fType: z.int(), fName: z.string() })),
  itemCount: z.int(),
  /** At most five of the people it was about, and how many there were. */
  people: z.array(z.strictObject({ userId: z.int(), account: z.string(), accountName: z.string() })),
  peopleCount: z.int(),
  /** The code it was refused with, or empty. */
  refused: z.string(),
  /** What else is on record, as JSON. */
  detail: z.string(),
  hash: z.string(),
})

const Problem = z.strictObject({
  what: z.enum(['altered', 'removed', 'inserted', 'cut', 'head']),
  /** The number of the row in the chain; 0 for one that is in no chain. */
  seq: z.int(),
  auditId: z.int(),
  /** How many rows, where it is not one. */
  count: z.int(),
})

const auditCalls = {
  /** A page of what happened, the newest first; the next begins after the last row of this one. */
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
      /** Where the list ends: what of the time that is looked for lies in archives, which no list looks into. */
      archived: z
        .strictObject({ since: Time, until: Time, archives: z.int(), rows: z.int() })
        .nullable()
        .describe('Null where there is more, or nothing of that time is archived.'),
    }),
  }),
  /** People whose names, accounts or initials hold a text, to look for what they did. */
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
    data: z.strictObject({
      list: z.array(
        z.strictObject({ userId: z.int(), account: z.string(), accountName: z.string(), groupName: z.string() }),
      ),
    }),
  }),
  /** By the days on which it was sealed; of what has been removed for good no name is known any more. */
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
      from: Count.default(0),
      rows: rows(50, 1000),
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
          /** When the last of them was, to the day. */
          lastTime: Time,
          isDeleted: z.boolean(),
        }),
      ),
      total: z.int(),
    }),
  }),
  /** What is looked for as a file; the export itself is on record. */
  exportAudit: call({
    summary: 'Takes what has happened along as a file',
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
  /** The signed heads of the chain, to be kept elsewhere: against them nothing can be cut off unnoticed. */
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
  /** Has the whole chain computed again; asked for while it runs, it is not done twice. */
  verifyAudit: call({
    summary: 'Begins to verify the audit',
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
  /** The sealed files that hold the older part of the audit, how much room they take, and how the next one stands ([R287]). */
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
          /** Its rows by their numbers in the chain, both included. */
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
      /** From 0 to 1000, while one is made. */
      progress: z.int().nullable(),
      /** Why the last one was not made: no room, or something else. */
      problem: z.enum(['', 'full', 'failed']),
    }),
  }),
  /** Archives what happened before a moment that is thirty days ago at least; it leaves the lists, and stays under the chain. */
  archiveAudit: call({
    summary: 'Begins to archive the older part of the audit',
    kind: 'write',
    method: 'POST',
    path: '/services2/audit/archiveAudit',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    guard: auditor,
    input: z.strictObject({ before: Time }),
    data: Nothing,
    codes: ['badRequest'],
  }),
  /** An archive as it is kept: lines of JSON, compressed, with the signed head that they lead to. */
  downloadAuditArchive: call({
    summary: 'Takes an archive of the audit along',
    kind: 'stream',
    method: 'GET',
    path: '/services2/audit/downloadAuditArchive',
    auth: 'required',
    payload: 'query',
    origin: 'ours',
    guard: auditor,
    input: z.strictObject({ archiveId: Id }),
    answers: '*/*',
    data: z.never(),
    codes: ['notFound'],
  }),
  /** How the forwarding to the collector stands (admin.md E4). */
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
      /** Rows that have not gone out yet. */
      waiting: z.int(),
      /** When something went out last. */
      sentAt: Time.nullable(),
      /** What was wrong the last time, or empty, and since when. */
      problem: z.string(),
      problemAt: Time,
    }),
  }),
  /** How far the verification is, and what the last one that ended has found. */
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
      /** From 0 to 1000, while one runs. */
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
      /** The collector that the audit is forwarded to by syslog; empty: none. */
      syslog_host: z.string().max(255).default(''),
      syslog_port: z.int().min(1).max(65_535).default(514),
      syslog_transport: z.enum(transports).default('tcp'),
      /** The certificate of who has signed that of the collector, line by line; empty: those that everybody trusts. */
      syslog_ca: z.array(z.string().max(200)).max(1000).default([]),
      /** After so many months the audit is archived, a whole month at a time; 0: never. */
      log_archive_months: z.int().min(0).max(120).default(0),
      /** Bytes that the archives may take; 0 sets no limit. */
      log_archive_space: z.int().min(0).default(0),
    },
    administered: {
      log_archive_months: { ...place, as: 'number' },
      log_archive_space: { ...place, as: 'bytes' },
      syslog_host: { ...place, as: 'host', entered: text(255).regex(/^[\w.:-]*$/, 'a host name or an address') },
      syslog_port: { ...place, as: 'number' },
      syslog_transport: { ...place, as: 'choice', choices: transports },
      syslog_ca: { ...place, as: 'lines', entered: z.array(z.string().regex(/^[\x20-\x7e]{0,200}$/)).max(1000) },
    },
  },
})
