/*
 * The check before a copy between servers ([R123]): the source is read as the person sees it, level by level, and the
 * target says of each item whether it would take it, and under which name. It ends after some thousand items or some
 * seconds; what it did not reach is refused, if at all, when it is sent.
 */
import type { Data, features, ItemRecord } from '@cloudoc/contract'
import { codeMessage, codeOf, codes, hasRight, type Locale, rights as rightsOf } from '@cloudoc/domain'
import { refusalOf } from '../../core/call/dispatcher.ts'
import type { NameConflict } from '../../drive/tree/index.ts'
import { ServerAway, type Sides } from './run.ts'

const mostItems = 5000
const mostMs = 8000
/** As many as the target takes at once. */
const batch = 500
const pageRows = 100
const mostProblems = 200

export type CopyCheck = Data<(typeof features.serverCopies.calls)['checkServerCopy']>
type Problem = CopyCheck['problems'][number]

/** An item of the source on its way. */
interface Found {
  readonly record: ItemRecord
  readonly path: string
  /** The number of its folder at the source; 0 for those that were asked for. */
  readonly parent: number
  readonly below: number
}

interface Wanted {
  readonly fileIds: readonly number[]
  readonly folderIds: readonly number[]
  readonly folderId: number
  readonly conflict: NameConflict
}

interface Asker {
  readonly locale: Locale
  /** Ends the check. */
  readonly signal: AbortSignal
}

/** A check that is under way. */
class Check {
  readonly #sides: Sides
  readonly #wanted: Wanted
  readonly #asker: Asker
  readonly #until = performance.now() + mostMs
  readonly #refusals: Problem[] = []
  readonly #newNames: Problem[] = []
  readonly #sum = { files: 0, folders: 0, bytes: 0 }
  #isComplete = true

  constructor(sides: Sides, wanted: Wanted, asker: Asker) {
    this.#sides = sides
    this.#wanted = wanted
    this.#asker = asker
  }

  async run(): Promise<CopyCheck> {
    let level = await this.#readTop()
    while (level.length > 0) {
      const folders: Found[] = []
      for (let at = 0; at < level.length && !this.#isOver(); at += batch)
        folders.push(...(await this.#ask(level.slice(at, at + batch))))
      level = []
      for (const folder of folders) {
        if (this.#isOver()) break
        level.push(...(await this.#readFolder(folder, level.length)))
      }
    }
    const [refused, renamed] = [this.#refusals.length, this.#newNames.length]
    const problems = [...this.#refusals, ...this.#newNames].slice(0, mostProblems)
    return { ...this.#sum, isComplete: this.#isComplete, refused, renamed, problems }
  }

  /** Whether the check has come to its limits, with `more` items read that are not counted yet. */
  #isOver(more = 0): boolean {
    this.#asker.signal.throwIfAborted()
    const { files, folders } = this.#sum
    if (performance.now() <= this.#until && files + folders + more < mostItems) return false
    this.#isComplete = false
    return true
  }

  #count({ fType }: Pick<ItemRecord, 'fType'>): void {
    this.#sum[fType === 1 ? 'files' : 'folders'] += 1
  }

  #refuse({ path, fType, name }: Omit<Problem, 'result' | 'msg'>, result: number): void {
    const code = codeOf(result) ?? 'serverException'
    this.#refusals.push({ path, fType, name, result: codes[code].code, msg: codeMessage(code, this.#asker.locale) })
  }

  /** Reads the items that were asked for. Those that the person may not see are refused. */
  async #readTop(): Promise<Found[]> {
    const { source } = this.#sides
    const { fileIds, folderIds } = this.#wanted
    const top: Found[] = []
    for (const [fType, ids] of [
      [2, new Set(folderIds)],
      [1, new Set(fileIds)],
    ] as const)
      for (const id of ids) {
        if (this.#isOver(top.length)) return top
        try {
          const record =
            fType === 1
              ? await source.ask('getFileInfo', { fileId: id })
              : await source.ask('getFolderInfo', { folderId: id })
          top.push({ record, path: record.fName, parent: 0, below: 0 })
        } catch (error) {
          const code = error instanceof ServerAway ? undefined : refusalOf(error)?.code
          if (code === undefined) throw error
          this.#count({ fType })
          this.#refuse({ path: '', fType, name: '' }, codes[code].code)
        }
      }
    return top
  }

  /** Reads what is in a folder of the source, but for shortcuts: neither they nor their targets are copied. */
  async #readFolder(folder: Found, more: number): Promise<Found[]> {
    const inside: Found[] = []
    let after: string | null = null
    do {
      if (this.#isOver(more + inside.length)) break
      const page: { list: ItemRecord[]; next: string | null } = await this.#sides.source.ask('getSubItemList3', {
        ...{ folderId: folder.record.fId, rows: pageRows },
        ...(after !== null && { after }),
      })
      for (const record of page.list)
        if (record.linkId === 0)
          inside.push({
            ...{ record, path: `${folder.path}/${record.fName}` },
            ...{ parent: folder.record.fId, below: folder.below + 1 },
          })
      // A server that goes on without items would go on for ever.
      after = page.list.length === 0 ? null : page.next
    } while (after !== null)
    return inside
  }

  /** Asks the target about items. Returns the folders that it would make. */
  async #ask(found: readonly Found[]): Promise<Found[]> {
    const items = found.filter((one) => this.#mayLeave(one))
    if (items.length === 0) return []
    const { folderId, conflict } = this.#wanted
    const { list } = await this.#sides.target.ask('checkUploads', {
      ...{ folderId, conflict, bytesBefore: this.#sum.bytes },
      items: items.map(({ record, parent, below }) => ({
        ...{ name: record.fName, fType: record.fType, parent, below },
        ...(record.fType === 1 && { fileSize: record.fileSize, secretLevel: record.secretLevel }),
      })),
    })
    return items.filter(({ record, path }, n) => {
      const { fType, fName } = record
      const { result = codes.serverException.code, name = fName } = list[n] ?? {}
      this.#count(record)
      if (result !== codes.success.code) {
        this.#refuse({ path, fType, name: fName }, result)
        return false
      }
      if (name !== fName) this.#newNames.push({ path, fType, name, result, msg: '' })
      if (fType === 1) this.#sum.bytes += record.fileSize
      return fType === 2
    })
  }

  /** Who may only look at a file cannot take it elsewhere. */
  #mayLeave({ record, path }: Found): boolean {
    const { fType, fName: name, rights: mask } = record
    if (fType === 2 || hasRight(rightsOf(mask), 'download')) return true
    this.#count(record)
    this.#refuse({ path, fType, name }, codes.noPermission.code)
    return false
  }
}

/** Checks what a copy would do. */
export const checkCopyAcross = (sides: Sides, wanted: Wanted, asker: Asker): Promise<CopyCheck> =>
  new Check(sides, wanted, asker).run()
