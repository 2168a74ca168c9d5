// Every kind of change as a call, each in its own fixture folders, and a function that reads the visible result.
import { createHash } from 'node:crypto'
import { codes } from '@cloudoc/domain'
import { sql } from 'kysely'
import type { Person, Wire } from './harness.ts'

/**
 * Part size of an upload in bytes: larger than the limit for buffering in memory, and larger than the smallest part
 * that S3 can copy.
 */
export const partBytes = 70_000

/** The content of an upload of three parts, the last of them small. */
const large = Array.from({ length: 15_000 }, (_, n) => `${n}`.padStart(10, '.')).join('')
const largeParts = [large.slice(0, partBytes), large.slice(partBytes, 2 * partBytes), large.slice(2 * partBytes)]

/** The fixture that a change works on. */
export interface Scenario {
  readonly person: Person
  readonly from: number
  readonly to: number
  readonly fileId: number
  readonly binnedId: number
  /** The upload that was prepared for the change. */
  readonly uploadId: string
}

export interface Change {
  /** Takes an upload to the state that the change needs; returns its id. */
  readonly prepare?: (stage: Scenario) => Promise<string>
  readonly make: (stage: Scenario) => Promise<Wire>
  /** A call that must succeed after the change has succeeded, whatever failed before. */
  readonly proves?: (stage: Scenario) => Promise<unknown>
  /** Writes contents to the blob store; the other changes consist of SQL statements only. */
  readonly stores?: true
  /** Idempotent: repeated after a success whose answer was lost, it succeeds and changes nothing more. */
  readonly isIdempotent?: true
  /** Consists of several calls, so an intermediate state may be visible. */
  readonly inSteps?: true
}

async function must(wire: Promise<Wire>): Promise<Wire> {
  const answer = await wire
  if (answer.code !== 'success') throw new Error(`what comes after the change was refused: ${answer.msg}`)
  return answer
}

/** Opens an upload into `from`; returns its id. */
const openUpload = async ({ person, from }: Scenario, fileSize: number): Promise<string> =>
  (await person.call('uploadOpen', { folderId: from, fileName: 'parts.txt', fileSize })).uploadId

const complete = ({ person, uploadId }: Scenario): Promise<Wire> => person.wire('uploadComplete', { uploadId })

async function completesTo(stage: Scenario, content: string): Promise<void> {
  const { data } = await must(complete(stage))
  const { body } = await stage.person.download((data as { fileId: number }).fileId)
  if (body !== content) throw new Error('another content than that of the parts')
}

const prepareLarge = async (stage: Scenario): Promise<string> => {
  const { person } = stage
  const uploadId = await openUpload(stage, large.length)
  // Parts out of order, and one of them sent twice: the last one sent counts, and it is stored in a separate file.
  for (const [number, bytes] of [
    [3, largeParts[2]],
    [1, largeParts[1]],
    [1, largeParts[0]],
    [2, largeParts[1]],
  ] as const)
    await must(person.uploadPart(uploadId, number, bytes ?? ''))
  return uploadId
}

/** The sender's answer to the challenge of an upload whose content the server already has. */
const proofs = new Map<string, { sha256: string; proof: string }>()
const first = 'first'

async function challenged({ person, from }: Scenario): Promise<string> {
  const sha256 = createHash('sha256').update(first).digest('hex')
  const file = { folderId: from, fileName: 'instant.txt', fileSize: first.length, sha256 }
  const { uploadId, challenge } = await person.call('uploadOpen', file)
  const proof = createHash('sha256').update(Buffer.from(challenge?.nonce ?? '', 'hex'))
  for (const { start, end } of challenge?.ranges ?? []) proof.update(first.slice(start, end + 1))
  proofs.set(uploadId, { sha256, proof: proof.digest('hex') })
  return uploadId
}

const tusPath = '/services2/upload/tus'

/** Sends a tus request; returns whether it succeeded. */
async function tus(
  { token, world }: Person,
  method: 'POST' | 'HEAD' | 'PATCH',
  url: string,
  headers: Record<string, string | number>,
  payload = '',
) {
  const authorization = `Bearer ${token}`
  const request = { method, url, headers: { 'tus-resumable': '1.0.0', authorization, ...headers }, payload }
  const answer = await world.app.http.inject(request)
  return { ...answer, headers: answer.headers, isGood: answer.statusCode < 300 }
}

/** Opens a tus upload; returns its id. */
async function openByTus({ person, from }: Scenario): Promise<string> {
  const fields = { filename: 'tus.txt', folderId: String(from) }
  const metadata = Object.entries(fields).map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
  const headers = { 'upload-length': large.length, 'upload-metadata': metadata.join() }
  const { isGood, headers: told } = await tus(person, 'POST', tusPath, headers)
  if (!isGood) throw new Error('an upload by tus cannot be opened')
  return String(told.location).slice(tusPath.length + 1)
}

/** Resumes as a tus client does, whatever happened before: asks for the current offset and sends the rest. */
async function goOnByTus({ person, uploadId }: Scenario): Promise<Wire> {
  const url = `${tusPath}/${uploadId}`
  const asked = await tus(person, 'HEAD', url, {})
  const offset = Number(asked.headers['upload-offset'])
  const type = 'application/offset+octet-stream'
  const sent =
    asked.isGood && offset < large.length
      ? await tus(person, 'PATCH', url, { 'content-type': type, 'upload-offset': offset }, large.slice(offset))
      : asked
  const code = sent.isGood ? 'success' : 'serverException'
  const fileId = Number(sent.headers['cloudoc-file-id'])
  return { status: sent.statusCode, result: codes[code].code, code, data: { fileId }, msg: '' }
}

/** The preparation uses the same calls that are tested as changes. */
export const changes: Readonly<Record<string, Change>> = {
  upload: { stores: true, make: ({ person, from }) => person.uploadWire(from, 'new.txt', 'new content') },
  'upload of a known content': { stores: true, make: ({ person, from }) => person.uploadWire(from, 'new.txt', first) },
  'upload of a large content': { stores: true, make: ({ person, from }) => person.uploadWire(from, 'new.txt', large) },
  'new version': {
    stores: true,
    make: ({ person, from }) => person.uploadWire(from, 'file.txt', 'second', { conflict: 'version' }),
  },
  'upload beside': {
    stores: true,
    make: ({ person, from }) => person.uploadWire(from, 'file.txt', 'other', { conflict: 'keepBoth' }),
  },
  'opening of an upload': {
    make: ({ person, from }) => person.wire('uploadOpen', { folderId: from, fileName: 'opened.txt', fileSize: 5 }),
  },
  'upload of a part': {
    stores: true,
    isIdempotent: true,
    prepare: (stage) => openUpload(stage, 5),
    make: ({ person, uploadId }) => person.uploadPart(uploadId, 1, 'parts'),
    proves: (stage) => completesTo(stage, 'parts'),
  },
  'upload of a large part once more': {
    stores: true,
    isIdempotent: true,
    prepare: prepareLarge,
    make: ({ person, uploadId }) => person.uploadPart(uploadId, 2, `${largeParts[0]}`),
    proves: (stage) => completesTo(stage, `${largeParts[0]}${largeParts[0]}${largeParts[2]}`),
  },
  'completion of an upload': {
    stores: true,
    isIdempotent: true,
    prepare: async (stage) => {
      const uploadId = await openUpload(stage, 5)
      await must(stage.person.uploadPart(uploadId, 1, 'parts'))
      return uploadId
    },
    make: complete,
    proves: (stage) => completesTo(stage, 'parts'),
  },
  'completion of a large upload': {
    stores: true,
    isIdempotent: true,
    prepare: prepareLarge,
    make: complete,
    proves: (stage) => completesTo(stage, large),
  },
  'instant upload': {
    stores: true,
    isIdempotent: true,
    prepare: challenged,
    inSteps: true,
    make: async ({ person, from, uploadId }) => {
      const { sha256, proof } = proofs.get(uploadId) ?? { sha256: '', proof: '' }
      const file = { folderId: from, fileName: 'instant.txt', fileSize: first.length, sha256 }
      const opened = await person.wire('uploadOpen', { ...file, uploadId, proof })
      if (opened.code !== 'success' || (opened.data as { done?: true }).done === true) return opened
      // A content that cannot be read at the moment is sent, like one that the server does not have.
      const sent = await person.uploadPart(uploadId, 1, first)
      return sent.code === 'success' ? person.wire('uploadComplete', { uploadId }) : sent
    },
  },
  'upload by tus': {
    stores: true,
    isIdempotent: true,
    inSteps: true,
    prepare: openByTus,
    make: goOnByTus,
    async proves(stage) {
      const { data } = await must(goOnByTus(stage))
      const { body } = await stage.person.download((data as { fileId: number }).fileId)
      if (body !== large) throw new Error('another content than that of the pieces')
    },
  },
  'giving up of an upload': {
    stores: true,
    isIdempotent: true,
    prepare: prepareLarge,
    make: ({ person, uploadId }) => person.wire('uploadAbort', { uploadId }),
  },
  'edit lock': { isIdempotent: true, make: ({ person, fileId }) => person.wire('fileEditLock', { fileId }) },
  'handing in of what was edited': {
    stores: true,
    prepare: async ({ person, fileId }) => {
      await person.call('fileEditLock', { fileId })
      return ''
    },
    make: ({ person, fileId }) => person.submit(fileId, 1, 'edited'),
  },
  rename: { make: ({ person, fileId }) => person.wire('renameFile', { fileId, fileName: 'renamed.txt' }) },
  move: {
    make: ({ person, fileId, to }) => person.wire('fileOrFolderMove', { fileIdArray: [fileId], targetFolderId: to }),
  },
  'move of a folder': {
    make: ({ person, from, to }) => person.wire('fileOrFolderMove', { folderIdArray: [from], targetFolderId: to }),
  },
  copy: {
    make: ({ person, fileId, to }) => person.wire('fileOrFolderCopy', { fileIdArray: [fileId], targetFolderId: to }),
  },
  delete: { make: ({ person, fileId }) => person.wire('fileOrFolderDelete', { fileIdArray: [fileId] }) },
  restore: { make: ({ person, binnedId }) => person.wire('recycleRestore', { fileIdArray: [binnedId] }) },
  'complete delete': {
    make: ({ person, fileId }) => person.wire('fileOrFolderCompleteDelete', { fileIdArray: [fileId] }),
  },
  'complete delete from the bin': {
    make: ({ person, binnedId }) => person.wire('fileOrFolderCompleteDelete', { fileIdArray: [binnedId] }),
  },
}

let stages = 0

/** Creates new folders with a file, an item in the recycle bin, and what the change needs besides. */
export async function createScenario(
  person: Person,
  { prepare }: Change = changes.upload as Change,
): Promise<Scenario> {
  stages += 1
  const stage = await person.folder(person.library, `stage ${stages}`)
  const from = await person.folder(stage, 'from')
  const to = await person.folder(stage, 'to')
  const fileId = await person.upload(from, 'file.txt', first)
  const binnedId = await person.upload(from, 'binned.txt', 'binned')
  await person.call('fileOrFolderDelete', { fileIdArray: [binnedId] })
  const set = { person, from, to, fileId, binnedId, uploadId: '' }
  return prepare === undefined ? set : { ...set, uploadId: await prepare(set) }
}

/**
 * Returns what is visible of a fixture: every living file with its content, the names in the recycle bin, and uploads
 * with their parts.
 */
export async function observedState({ person, from, to }: Scenario): Promise<string[]> {
  const names = new Map([
    [from, 'from'],
    [to, 'to'],
  ])
  const lines: string[] = []
  for (const [folderId, folder] of names) {
    const { list } = await person.call('getSubItemList3', { folderId, rows: 1000 })
    for (const { fId, fName, fType, editorId } of list) {
      const editing = editorId > 0 ? ', edited' : ''
      lines.push(`${folder}/${fName}${fType === 1 ? `: ${(await person.download(fId)).body}` : ''}${editing}`)
    }
  }
  const { list } = await person.call('getRecycleList', { rows: 3000 })
  for (const { fName, parentFolderId } of list) {
    const folder = names.get(parentFolderId)
    if (folder !== undefined) lines.push(`bin: ${folder}/${fName}`)
  }
  const { rows } = await sql<{ line: string }>`
    select 'upload: ' || u.name || case when u.ended_at is null then '' else ', ended' end
      || coalesce((select string_agg(', ' || p.number || ' ' || encode(p.sha256, 'hex'), '' order by p.number)
        from upload_part p where p.upload_id = u.id and p.tag is not null and u.ended_at is null), '') as line
    from upload u where u.folder_id = any(${[from, to]})`.execute(person.world.app.db)
  return [...lines, ...rows.map(({ line }) => line)].sort()
}
