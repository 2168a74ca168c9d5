// Editing together in the page: the document lies on the server, and whoever takes part sends changes of it ([R148], [R397]).
import { limits } from '@cloudoc/domain'
import { z } from 'zod'
import { call } from '../call.ts'
import { file } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { Flag, Id, integer, text } from '../fields.ts'
import { push } from '../push.ts'

/** The type of a document that holds what people edit. */
export const coeditRoot = 'content'

/** The type, and the name in it, under which documents keep what they were made of, where that is needed to read them. */
export const coeditBase = 'beginning'

/** What documents are by: a text, the cells of a workbook, the characters and pieces of a Word document. */
export const coeditCodecs = ['text', 'sheet', 'doc'] as const

/** Bytes as base64. */
const bytes = (most: number) =>
  z
    .string()
    .max(Math.ceil(most / 3) * 4)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/)
/** Who sends changes: given by joinTogether, for one editor and one document. */
const Client = integer(0, 0xffffffff)
const Generation = integer(0, Number.MAX_SAFE_INTEGER)
/** Where somebody’s cursor is, as the editors of a kind of file write it. */
const Cursor = text(1000)

const Member = z.strictObject({
  client: z.int(),
  userId: z.int(),
  name: z.string(),
  cursor: z.string(),
  /** Whether they may change it, or look on. */
  canWrite: z.boolean(),
})
export type CoeditMember = z.output<typeof Member>

const Rebase = z.strictObject({
  from: z.int().describe('The generation of the document that was changed so.'),
  client: z.int().describe('Whose change it was.'),
  turn: z
    .string()
    .describe('The change as JSON: `change` as it was sent, and `names` of the sheets, by their parts, before it.'),
})
export type CoeditRebase = z.output<typeof Rebase>

/** What of a document is stored as a version of its file. */
const stored = {
  version: z.int().describe('The version of the file that it was made of or last became.'),
  savedSeq: z.int().describe('Up to which change that version has it.'),
}

const coeditCalls = {
  /**
   * Takes part in editing a file together, and brings what the caller lacks of the document: all of it, or what is not in
   * `vector`. Who has taken part before, and comes back with `generation` and `client`, goes on; -39 where that document is
   * no more, as the file has got another content meanwhile.
   */
  joinTogether: call({
    summary: 'Takes part in editing a file together in the page',
    notes:
      'The document is a Yjs document: `update` and `vector` are what Yjs calls so (version 1 of its encoding). In a text, the text type `content` holds it with line ends of one character each; those that are not like most bear the attribute `end`. Of a workbook, the map `content` holds the cells that were written into since `generation` began, over those of any version since: by the path of the sheet’s part, a line end and the address, each `{content, formula, format}`. Of a Word document, the text type `content` holds its characters, and pieces: `{end}` is the end of a paragraph, `{leaf}` what is in one piece, `{open}` and `{close}` are the ends of what holds others. Each is a kind with what is said of it, or the number of one in the list that lies in the map `beginning` with the main part that the document was made of, as deflated JSON.',
    kind: 'staged',
    method: 'POST',
    path: '/services2/edit/joinTogether',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'download', lock: 'change' }],
    input: z.strictObject({
      fileId: Id,
      generation: Generation.default(0),
      client: Client.default(0),
      vector: bytes(64 * 1024).default(''),
    }),
    data: z.strictObject({
      generation: z.int(),
      client: z.int(),
      update: z.string(),
      /** Up to which change of the document that is. */
      seq: z.int(),
      /** Whether the caller may change it, or looks on. */
      canWrite: z.boolean(),
      ...stored,
      shape: z.enum(coeditCodecs).describe('What the document is by.'),
      /** How the file of a text is written. */
      form: z.strictObject({
        encoding: z.string(),
        /** It begins with a byte order mark. */
        hasMark: z.boolean(),
        /** What most of its lines end with. */
        end: z.string(),
      }),
      members: z.array(Member),
      turns: z
        .array(Rebase)
        .describe(
          'How the workbook came to be this one: the newest changes of its build, each of which began it anew.',
        ),
    }),
    codes: [
      'notFound',
      'noPermission',
      'secretLevel',
      'virusFile',
      'fileLocked',
      'fileConflict',
      'conversionUnsupported',
      'fileSizeExceeded',
    ],
  }),
  /**
   * Adds a change to the document. Once it is answered it is stored, and will be in the next version of the file. Sent again
   * it changes nothing. -41 where somebody has ended that the file is edited.
   */
  editTogether: call({
    summary: 'Changes a document that is edited together',
    kind: 'staged',
    unrecorded: true,
    method: 'POST',
    path: '/services2/edit/editTogether',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    quiet: true,
    gate: (input) => [{ item: file(input.fileId), action: 'editHere', lock: 'hold' }],
    input: z.strictObject({
      fileId: Id,
      generation: Generation,
      client: Client,
      update: bytes(limits.togetherUpdateBytes),
    }),
    data: z.strictObject({
      /** The number of the change. */
      seq: z.int(),
    }),
    codes: ['notFound', 'noPermission', 'noEditLock', 'fileConflict', 'fileSizeExceeded', 'badRequest'],
  }),
  /** Says that the caller is there and where their cursor is, at least every ten seconds; or that they leave. */
  presentTogether: call({
    summary: 'Tells those who edit a file together where the caller is, or that they leave',
    kind: 'staged',
    unrecorded: true,
    method: 'POST',
    path: '/services2/edit/presentTogether',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    quiet: true,
    gate: (input) => [{ item: file(input.fileId), action: 'see' }],
    input: z.strictObject({
      fileId: Id,
      generation: Generation,
      client: Client,
      cursor: Cursor.default(''),
      leaves: Flag.default(false),
    }),
    data: z.strictObject({
      seq: z.int(),
      canWrite: z.boolean(),
      ...stored,
      members: z.array(Member),
    }),
    codes: ['notFound', 'noPermission', 'fileConflict'],
  }),
  /** Makes a version of what is there now; those that come by themselves follow every few minutes and when the last one leaves. */
  saveTogether: call({
    summary: 'Makes a version of a document that is edited together',
    kind: 'staged',
    audit: 'technical',
    method: 'POST',
    path: '/services2/edit/saveTogether',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'editHere', lock: 'hold' }],
    input: z.strictObject({ fileId: Id, generation: Generation }),
    data: z.strictObject(stored),
    codes: ['notFound', 'noPermission', 'noEditLock', 'fileConflict'],
  }),
  /**
   * Changes the build of a workbook that is edited together: its rows, columns, areas, filters or sheets. The document begins
   * anew upon the file with that change, which is a version; whoever takes part hears of another generation, and joins it by
   * joinTogether with their number and without a generation. What was written into cells meanwhile stands where those are
   * then. Answers the generation as it was, and `why`, where the change cannot be made.
   */
  buildTogether: call({
    summary: 'Changes rows, columns or sheets of a workbook that is edited together',
    notes:
      '`change` is JSON: `{part, kind, …}`, by the path of the sheet’s part. `move` puts rows or columns in or takes them out (`{move: {axis, at, by}}`), `size` makes them higher or wider, `merge` and `split` cells of an `area`, `freeze` keeps `rows` and `columns` in sight, `sort` has rows of an `area` change places, `filter` puts a filter on, `title` names a chart, and `add`, `remove`, `rename`, `order`, `show` and `tint` change sheets.',
    kind: 'staged',
    audit: 'technical',
    method: 'POST',
    path: '/services2/edit/buildTogether',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'editHere', lock: 'change' }],
    input: z.strictObject({
      fileId: Id,
      generation: Generation,
      client: Client,
      change: text(limits.togetherUpdateBytes),
    }),
    data: z.strictObject({
      generation: z.int(),
      ...stored,
      why: z
        .string()
        .describe('Why it stays as it is: `protected`, `table`, `lastSheet` and others; empty where it was made.'),
    }),
    codes: ['notFound', 'noPermission', 'noEditLock', 'fileConflict', 'badRequest', 'conversionUnsupported'],
  }),
}

const coeditPushes = {
  /** To who takes part, as long as they may: nothing of it comes again. Who misses a change asks joinTogether. */
  togetherChanged: push({
    summary: 'A document that the receiver edits together with others has changed, or who takes part in it',
    type: 210,
    delivery: 'ephemeral',
    payload: z.strictObject({
      serverId: z.int(),
      fileId: z.int(),
      generation: z.int(),
      from: z.int().describe('The change before the first of `updates`: who does not have it asks joinTogether.'),
      seq: z.int().describe('The newest change.'),
      updates: z.array(z.string()),
      ...stored,
      members: z.array(Member),
    }),
  }),
}

export const coedit = feature({
  about: {
    name: 'writing together',
    text: 'Texts, workbooks and Word documents that several people edit at once in the page',
  },
  calls: coeditCalls,
  pushes: coeditPushes,
})
