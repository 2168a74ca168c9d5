// Co-editing in the page: the server holds the document, and each editor sends changes to it ([R148], [R397]).
import { limits } from '@cloudoc/domain'
import { z } from 'zod'
import { call } from '../call.ts'
import { file } from '../drive/items.ts'
import { feature } from '../feature.ts'
import { Flag, Id, integer, text } from '../fields.ts'
import { push } from '../push.ts'

/** Name of the shared Yjs type that holds the edited content. */
export const coeditRoot = 'content'

/** Name of the Yjs type (and of its key) that stores the base content, for documents that need it to be read. */
export const coeditBase = 'beginning'

/**
 * Codecs of co-edited documents: text, cells of a workbook, characters and elements of a Word
 * document, text frames of a presentation.
 */
export const coeditCodecs = ['text', 'sheet', 'doc', 'slides'] as const

/** Base64-encoded bytes. */
const bytes = (most: number) =>
  z
    .string()
    .max(Math.ceil(most / 3) * 4)
    .regex(/^[A-Za-z0-9+/]*={0,2}$/)
/** Client id of the sender, assigned by joinTogether for one editor and one document. */
const Client = integer(0, 0xffffffff)
const Generation = integer(0, Number.MAX_SAFE_INTEGER)
/** Cursor position, in the format of the editor of that file type. */
const Cursor = text(1000)

const Member = z.strictObject({
  client: z.int(),
  userId: z.int(),
  name: z.string(),
  cursor: z.string(),
  /** True if the member can edit, false if they only view. */
  canWrite: z.boolean(),
})
export type CoeditMember = z.output<typeof Member>

const Rebase = z.strictObject({
  from: z.int().describe('The generation of the document that was changed so.'),
  client: z.int().describe('Whose change it was.'),
  turn: z
    .string()
    .describe(
      'The change as JSON. Of a workbook: `change` as it was sent, and `names` of the sheets, by their parts, before it. Of a presentation: which frames are `renamed` and which are `gone`.',
    ),
})
export type CoeditRebase = z.output<typeof Rebase>

/** The part of the document that is saved as a version of the file. */
const stored = {
  version: z.int().describe('The version of the file that it was made of or last became.'),
  savedSeq: z.int().describe('Up to which change that version has it.'),
}

const coeditCalls = {
  /**
   * Joins a co-editing session. Returns what the caller lacks of the document: all of it, or what is not in `vector`. A
   * client that rejoins with `generation` and `client` continues. -39 if that document no longer exists because the
   * file has got another content meanwhile.
   */
  joinTogether: call({
    summary: 'Takes part in editing a file together in the page',
    title: { zh: '加入共同编辑', en: 'Joined writing together' },
    log: 'none',
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
    sample: (ids) => ({ fileId: ids.fileId }),
    data: z.strictObject({
      generation: z.int(),
      client: z.int(),
      update: z.string(),
      /** Number of the last change contained in the update. */
      seq: z.int(),
      /** True if the caller can edit, false if they only view. */
      canWrite: z.boolean(),
      ...stored,
      shape: z.enum(coeditCodecs).describe('What the document is by.'),
      /** Encoding of a text file. */
      form: z.strictObject({
        encoding: z.string(),
        /** The file starts with a byte order mark. */
        hasMark: z.boolean(),
        /** The most frequent line ending. */
        end: z.string(),
      }),
      members: z.array(Member),
      turns: z
        .array(Rebase)
        .describe(
          'How the workbook or presentation came to be this one: the newest changes of its build, each of which began it anew.',
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
   * Adds a change to the document. An answered change is stored and will be in the next version of the file. Sending it
   * again has no effect. -41 if a user or an administrator has ended the editing of the file.
   */
  editTogether: call({
    summary: 'Changes a document that is edited together',
    title: { zh: '共同编辑', en: 'Wrote together' },
    log: 'none',
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
    sample: (ids) => ({ fileId: ids.fileId, generation: 1, client: 1, update: 'AAA=' }),
    data: z.strictObject({
      /** Sequence number of the change. */
      seq: z.int(),
    }),
    codes: ['notFound', 'noPermission', 'noEditLock', 'fileConflict', 'fileSizeExceeded', 'badRequest'],
  }),
  /** Reports the caller's presence and cursor, at least every ten seconds, or that the caller leaves. */
  presentTogether: call({
    servesReading: true,
    summary: 'Tells those who edit a file together where the caller is, or that they leave',
    title: { zh: '共同编辑中', en: 'Present together' },
    log: 'none',
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
    sample: (ids) => ({ fileId: ids.fileId, generation: 1, client: 1 }),
    data: z.strictObject({
      seq: z.int(),
      canWrite: z.boolean(),
      ...stored,
      members: z.array(Member),
    }),
    codes: ['notFound', 'noPermission', 'fileConflict'],
  }),
  /**
   * Saves the current state as a version. Automatic versions are saved every few minutes and when the last editor
   * leaves.
   */
  saveTogether: call({
    summary: 'Makes a version of a document that is edited together',
    log: 'none',
    kind: 'staged',
    audit: 'technical',
    method: 'POST',
    path: '/services2/edit/saveTogether',
    auth: 'required',
    payload: 'json',
    origin: 'ours',
    gate: (input) => [{ item: file(input.fileId), action: 'editHere', lock: 'hold' }],
    input: z.strictObject({ fileId: Id, generation: Generation }),
    sample: (ids) => ({ fileId: ids.fileId, generation: 1 }),
    data: z.strictObject(stored),
    codes: ['notFound', 'noPermission', 'noEditLock', 'fileConflict'],
  }),
  /**
   * Changes the structure of a co-edited workbook: rows, columns, ranges, filters or sheets; or of a presentation: slides,
   * shapes and pictures. The change is saved as a version and the document restarts from it in a new generation. The members are notified of the new generation and
   * join it by joinTogether with their client number and without a generation. Cell edits made meanwhile are rebased to
   * the new position of their cells. If the change is impossible, the answer has the unchanged generation and `why`.
   */
  buildTogether: call({
    summary:
      'Changes rows, columns or sheets of a workbook, or slides and shapes of a presentation, that is edited together',
    log: 'none',
    notes:
      '`change` is JSON: `{part, kind, …}`, by the path of the sheet’s part. `move` puts rows or columns in or takes them out (`{move: {axis, at, by}}`), `size` makes them higher or wider, `merge` and `split` cells of an `area`, `freeze` keeps `rows` and `columns` in sight, `sort` has rows of an `area` change places, `filter` puts a filter on, `title` names a chart, and `add`, `remove`, `rename`, `order`, `show` and `tint` change sheets. Of a presentation: `add` puts a slide `behind` another, `move` takes it `from` one place `to` another, `remove` deletes the one `at` a place; `addShape` (`form`, `box` in pixels, `text`), `addPicture` (`data` as a data URL, `box`, `text`), `placeShape` and `removeShape` (`shape`, its number among the elements of the slide) change the slide `at` a place.',
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
    sample: (ids) => ({
      fileId: ids.fileId,
      generation: 1,
      client: 1,
      change: '{"part":"xl/worksheets/sheet1.xml","kind":"remove"}',
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
  /**
   * Sent once to the members as long as they have access; it is not replayed. A client that misses a change calls
   * joinTogether.
   */
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
