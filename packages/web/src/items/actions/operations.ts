/*
 * The operations of the user on items. Each one includes the call, the immediate update of the rows, the confirmation
 * with undo, and the list of failed items ([R126]). Every operation that can be undone is pushed on the undo stack,
 * which the button of the toast and Ctrl+Z share.
 */
import type { BatchAnswer, ItemRecord } from '@cloudoc/contract'
import { codeOf, codes, itemName, numberedName, parseBatchId } from '@cloudoc/domain'
import { api, CallError, mainServer, type OnServer, refusal, type ServerApi } from '../../core/call/api.ts'
import { t } from '../../core/i18n/i18n.ts'
import { groupBy } from '../../core/page/group-by.ts'
import { withProgressToast } from '../../core/toast/progress-toast.ts'
import { toast } from '../../core/toast/toast.ts'
import { confirmBox } from '../../core/windows/boxes.ts'
import { openWindow } from '../../core/windows/index.ts'
import { type FolderRef, type ItemRef, idArrays, isLink, keyOf } from '../item/item.ts'
import { itemMade, itemRenamed, itemsChanged, itemsGone, refreshDrive } from '../lists/lists.ts'
import { unclip } from './clipboard.ts'
import { isExplained } from './reasons.ts'
import { type Outcome, offerUndo, trackInFlight } from './undo.ts'

/** An item with what an operation shows of it. */
export type Named = ItemRef & Pick<ItemRecord, 'fName' | 'parentFolderId'>

/** The target folder of a move or copy. */
export interface Target extends Partial<OnServer> {
  readonly fId: number
  readonly fName: string
}

/** The number of items per call. Each item is a transaction of its own, and a call has a time limit of one minute. */
const perCall = 200

/** A batch call: receives some items of one server, the calls of that server, and the number of items before them. */
export type BatchCall = (ids: ReturnType<typeof idArrays>, on: ServerApi, at: number) => Promise<BatchAnswer>

/** The results of a batch, with the server of each item. */
type Results = readonly (BatchAnswer[number] & OnServer)[]

const succeeded = ({ result }: { readonly result: number }): boolean => result === codes.success.code

/**
 * Runs a batch call over any number of items in several calls, each for items of one server. If a call fails, the
 * results of the earlier calls are returned.
 */
export async function inCalls(
  items: readonly ItemRef[],
  call: BatchCall,
  afterEach: (done: readonly ItemRef[]) => void = () => undefined,
): Promise<Results> {
  const results: Results[number][] = []
  let before = 0
  for (const [serverId, group] of groupBy(items, (item) => item.serverId)) {
    for (let at = 0; at < group.length; at += perCall) {
      try {
        const answer = await call(idArrays(group.slice(at, at + perCall)), api.of({ serverId }), before + at)
        const of = answer.map((one) => ({ ...one, serverId }))
        afterEach(of.filter(succeeded).map(refOf))
        results.push(...of)
      } catch (error) {
        if (results.length === 0) throw error
        notifyFailure(error)
        return results
      }
    }
    before += group.length
  }
  return results
}

/**
 * Evaluates the answer of a batch: returns the items that succeeded and lists the failed ones in a dialog ([R126]). For
 * shortcuts, shows the first refusal as an error ([R247]).
 */
export async function settle(
  answer: Results,
  items: readonly Named[],
  title: string,
  retry?: ((items: readonly ItemRef[]) => void) | 'shortcuts',
): Promise<Results> {
  const failed = answer.filter((one) => !succeeded(one))
  const [first] = failed
  const ofShortcuts = retry === 'shortcuts' || failed.every((one) => isLink(refOf(one)))
  if (first !== undefined && ofShortcuts) {
    toast({ kind: 'error', text: `${title}：${first.msg}` })
  } else if (failed.length > 0) {
    const again = retry === 'shortcuts' ? undefined : retry
    // The server does not return the name of an item that the user may not see. The user knows the item by the name
    // that was on the screen.
    const names = new Map(items.map((item) => [keyOf(item), item.fName]))
    const rows = failed.map((one) => ({
      ...refOf(one),
      name: names.get(keyOf(refOf(one))) ?? one.name,
      text: one.msg,
      ...(isExplained(codeOf(one.result)) && { why: true as const }),
    }))
    void openWindow('drive-batch-result', { title, total: answer.length, rows, canRetry: again !== undefined }).then(
      (wanted) => {
        if (wanted) again?.(failed.map(refOf))
      },
    )
  }
  return answer.filter(succeeded)
}

/**
 * Sets or clears a mark on items. Reports the number of changed items, and the server's message for the others. Returns
 * the number of changed items.
 */
export async function mark<I extends ItemRef>(
  items: readonly I[],
  call: BatchCall,
  words: { readonly done: (n: number) => string; readonly failed: (n: number, reason: string) => string },
  changed: (item: I) => void,
): Promise<number> {
  try {
    const answers = await inCalls(items, call)
    const failed = answers.filter((one) => !succeeded(one))
    const done = answers.length - failed.length
    for (const item of items) changed(item)
    if (done > 0) toast({ kind: 'success', text: words.done(done) })
    const [first] = failed
    if (first !== undefined) toast({ kind: 'error', text: words.failed(failed.length, first.msg) })
    return done
  } catch (error) {
    notifyFailure(error)
    return 0
  }
}

/** Runs a change that leaves the items in their folder. Fetches the changed items again and returns them. */
export async function change(items: readonly Named[], call: BatchCall, failed: string): Promise<readonly ItemRef[]> {
  try {
    const done = (await settle(await inCalls(items, call), items, failed)).map(refOf)
    itemsChanged(
      done,
      items.map(({ parentFolderId }) => parentFolderId),
    )
    return done
  } catch (error) {
    notifyFailure(error)
    return []
  }
}

/** Returns the item of a batch answer. For a link, `fType` is the type of its target. */
export function refOf({ serverId, id, fType }: Pick<Results[number], 'serverId' | 'id' | 'fType'>): ItemRef {
  const { fType: named = fType, fId = 0 } = parseBatchId(id) ?? {}
  return named === 0 ? { serverId, fId: 0, fType, linkId: fId } : { serverId, fId, fType }
}

/** Returns the name of the first item, with the number of items if there are several. */
export function named(items: readonly { fName: string }[]): string {
  const [first] = items
  if (first === undefined) return ''
  return items.length === 1 ? first.fName : t('drive.nameAndMore', { name: first.fName, n: items.length })
}

/** Shows why an operation failed: the error of a call, or a reason as text. */
export function notifyFailure(error: unknown): void {
  if (error instanceof CallError && error.quiet) return
  const text = error instanceof CallError ? error.message : typeof error === 'string' ? error : t('drive.failed')
  // The item no longer exists on the server but is still on the screen.
  const gone = error instanceof CallError && error.code === 'notFound'
  toast({ kind: 'error', text, ...(gone && { action: { text: t('drive.menu.refresh'), run: refreshDrive } }) })
}

/**
 * Items that are being moved to the recycle bin. If the user repeats the command before the row is gone, it is not sent
 * again.
 */
const leaving = new Set<string>()

/** Moves items to the recycle bin without confirmation, because this can be undone. */
export async function remove(items: readonly Named[]): Promise<void> {
  const fresh = items.filter((item) => !leaving.has(keyOf(item)))
  if (fresh.length === 0) return
  for (const item of fresh) leaving.add(keyOf(item))
  await trackInFlight(withProgressToast('drive.deleting', t('drive.deleting'), removing(fresh)))
  for (const item of fresh) leaving.delete(keyOf(item))
}

async function removing(items: readonly Named[]): Promise<void> {
  try {
    const done = await toBin(items)
    if (done.length === 0) return
    const gone = pick(items, done)
    offerUndo({
      text: t('drive.deleted', { name: named(gone) }),
      undo: async () => {
        const answer = await inCalls(done, (ids, on) => on.recycleRestore(ids))
        const back = (await settle(answer, gone, t('drive.restoreFailed'))).map(refOf)
        itemsChanged(
          back,
          gone.map((item) => item.parentFolderId),
        )
        return outcome(pick(gone, back), (name) => t('drive.restored', { name }))
      },
      redo: async () => outcome(pick(gone, await toBin(gone)), (name) => t('drive.deleted', { name }), []),
    })
  } catch (error) {
    notifyFailure(error)
  }
}

/** The outcome of an operation on these items, with the text for this kind of operation. */
export function outcome(
  items: readonly Named[],
  words: (name: string) => string,
  left: readonly ItemRef[] = items,
): Outcome {
  return items.length === 0 ? undefined : { text: words(named(items)), items: left }
}

/** Moves items to the recycle bin. Returns the moved ones. */
export async function toBin(items: readonly Named[]): Promise<ItemRef[]> {
  const answer = await inCalls(
    items,
    (ids, on) => on.fileOrFolderDelete(ids),
    (gone) => {
      itemsGone(gone)
      // Deleted items cannot be pasted.
      unclip(gone)
    },
  )
  const retry = (again: readonly ItemRef[]): void => void remove(pick(items, again))
  return (await settle(answer, items, t('drive.deleteFailed'), retry)).map(refOf)
}

/** Returns those of the items that the identities name. */
export function pick(items: readonly Named[], refs: readonly ItemRef[]): Named[] {
  const wanted = new Set(refs.map(keyOf))
  return items.filter((item) => wanted.has(keyOf(item)))
}

/** Renames an item. The name field shows the refusal of the server. */
export function rename(item: Named, name: string): Promise<void> {
  return trackInFlight(renaming(item, name))
}

async function renaming(item: Named, name: string): Promise<void> {
  const to = async (next: string, text: string): Promise<Outcome> => {
    await callRename(item, next)
    itemRenamed(item, next)
    itemsChanged([item], [item.parentFolderId])
    return { text, items: [item] }
  }
  const text = t('drive.renamed', { name })
  await to(name, text)
  const undo = (): Promise<Outcome> => to(item.fName, t('drive.renamedBack', { name: item.fName }))
  offerUndo({ text, undo, redo: () => to(name, text), quiet: true })
}

async function callRename(item: ItemRef, name: string): Promise<void> {
  const { fId, fType, linkId } = item
  if (linkId) await api.of(item).shortcutRename({ linkId, linkName: name })
  else if (fType === 1) await api.of(item).renameFile({ fileId: fId, fileName: name })
  else await api.of(item).renameFolder({ folderId: fId, folderName: name })
}

/** Moves items. A move across libraries asks for confirmation and then copies ([R124]). */
export function move(items: readonly Named[], target: Target): Promise<void> {
  return trackInFlight(moveInto(items, target))
}

async function moveInto(all: readonly Named[], target: Target): Promise<void> {
  const items = await withoutOthers(all, target, true)
  if (items.length === 0) return
  const moving = items.filter((item) => item.parentFolderId !== target.fId)
  if (moving.length === 0) {
    toast({ kind: 'info', text: t('drive.alreadyHere') })
    return
  }
  try {
    const sameLibrary = await inOneLibrary(target, [...new Set(moving.map((item) => item.parentFolderId)), target.fId])
    if (!sameLibrary) {
      const yes = await confirmBox({
        title: t('drive.crossLibrary.title'),
        text: t('drive.crossLibrary.text', { name: named(moving), target: target.fName }),
        ok: t('drive.copy'),
      })
      if (yes) await copy(moving, target)
      return
    }
    const retry = (again: readonly ItemRef[]): void => void move(pick(moving, again), target)
    const done = await withProgressToast('drive.moving', t('drive.moving'), into(moving, target.fId, retry))
    if (done.length === 0) return
    const moved = pick(moving, done)
    const changed = (): void => itemsChanged(done, [target.fId, ...moved.map((item) => item.parentFolderId)])
    changed()
    offerUndo({
      text: t('drive.moved', { name: named(moved), target: target.fName }),
      undo: async () => {
        const back: ItemRef[] = []
        for (const [parentId, group] of groupBy(moved, (item) => item.parentFolderId)) {
          back.push(...(await into(group, parentId)))
        }
        changed()
        return outcome(pick(moved, back), (name) => t('drive.movedBack', { name }))
      },
      redo: async () => {
        const again = await into(moved, target.fId)
        changed()
        return outcome(pick(moved, again), (name) => t('drive.moved', { name, target: target.fName }))
      },
    })
  } catch (error) {
    notifyFailure(error)
  }
}

async function into(
  items: readonly Named[],
  folderId: number,
  retry?: (items: readonly ItemRef[]) => void,
): Promise<ItemRef[]> {
  const answer = await inCalls(items, (ids, on) => on.fileOrFolderMove({ ...ids, targetFolderId: folderId }))
  return (await settle(answer, items, t('drive.moveFailed'), retry)).map(refOf)
}

/** Milliseconds after which the progress of a copy is shown. */
const longMs = 1000

const withdrawn = (): CallError =>
  new CallError('fileOrFolderCopy', { code: 'withdrawn', number: 0, message: '', quiet: true })

/** Starts something after a delay unless it is stopped before. If it has already started, stopping ends it. */
function later(ms: number, begin: () => Promise<() => void>): () => void {
  let isOver = false
  let end = (): void => undefined
  const timer = setTimeout(() => {
    void begin().then((stop) => {
      end = stop
      if (isOver) end()
    })
  }, ms)
  return () => {
    isOver = true
    clearTimeout(timer)
    end()
  }
}

/** Copies items. A copy into the same folder gets a numbered name. A long copy shows its progress. */
export async function copy(all: readonly Named[], target: Target): Promise<void> {
  const items = await withoutOthers(all, target, false)
  if (items.length === 0) return
  const here = items.some((item) => item.parentFolderId === target.fId)
  const conflict = here ? 'keepBoth' : 'refuse'
  const words = { name: named(items), target: target.fName }
  let isOff = false
  const call: BatchCall = async (ids, on, at) => {
    if (at === 0) isOff = false
    if (isOff) throw withdrawn()
    const copyId = crypto.getRandomValues(new Uint32Array(4)).join('-')
    const stop = later(longMs, async () =>
      (await import('./copy-progress.ts')).showCopyProgress(
        copyId,
        (n) => t('drive.copying', { ...words, n }),
        () => (isOff = true),
      ),
    )
    try {
      const answer = await on.fileOrFolderCopy({ ...ids, targetFolderId: target.fId, conflict, copyId })
      if (!isOff) return answer
      // The items are missing because the user cancelled the copy, so they are not reported as failed.
      const rest = answer.filter((one) => codeOf(one.result) !== 'uploadInterrupted')
      if (rest.length < answer.length) toast({ kind: 'info', text: t('drive.copyCancelled', words) })
      if (rest.length === 0) throw withdrawn()
      return rest
    } finally {
      stop()
    }
  }
  await put(items, target, call, {
    failed: t('drive.copyFailed'),
    done: (name) => t('drive.copied', { name, target: target.fName }),
    undone: (name) => t('drive.copiesGone', { name }),
  })
}

/** Creates something in a folder from each item, with an undo that deletes the created items. */
export async function put(
  items: readonly Named[],
  target: Target,
  call: BatchCall,
  says: {
    readonly failed: string
    readonly done: (name: string) => string
    readonly undone: (name: string) => string
    /** The created items are shortcuts. */
    readonly shortcuts?: true
  },
): Promise<void> {
  try {
    checkServer(items, target)
    const make = async (): Promise<Results> => {
      const retry = (again: readonly ItemRef[]): void => void put(pick(items, again), target, call, says)
      const answer = await inCalls(items, call)
      const done = await settle(answer, items, says.failed, says.shortcuts ? 'shortcuts' : retry)
      itemsChanged(madeBy(done), [target.fId])
      return done
    }
    const done = await make()
    if (done.length === 0) return
    const of = pick(items, done.map(refOf))
    let made = madeBy(done)
    offerUndo({
      text: says.done(named(of)),
      undo: async () => {
        const answer = await inCalls(made, (ids, on) => on.fileOrFolderDelete(ids))
        const gone = await settle(answer, [], t('drive.deleteFailed'))
        itemsGone(gone.map(refOf))
        return gone.length === 0 ? undefined : outcome(of, says.undone, [])
      },
      redo: async () => {
        const again = await make()
        made = madeBy(again)
        return outcome(pick(items, again.map(refOf)), says.done, made)
      },
    })
  } catch (error) {
    notifyFailure(error)
  }
}

/** Returns the copies that a batch created. */
function madeBy(answer: Results): ItemRef[] {
  return answer.flatMap(({ serverId, fId, fType, linkId }): ItemRef[] =>
    linkId !== undefined ? [{ serverId, fId: 0, fType, linkId }] : fId === undefined ? [] : [{ serverId, fId, fType }],
  )
}

/** Sends the items of other servers than the folder's ([R123]), and returns the others. */
async function withoutOthers(items: readonly Named[], target: Target, isMove: boolean): Promise<readonly Named[]> {
  const { serverId: at = mainServer.serverId } = target
  const foreign = items.filter(({ serverId }) => serverId !== at)
  if (foreign.length === 0) return items
  try {
    await (await import('./across-servers.ts')).sendAcross(foreign, target, isMove)
  } catch (error) {
    notifyFailure(error)
  }
  return items.filter(({ serverId }) => serverId === at)
}

/** Refuses to link items into a folder of another server. */
function checkServer(items: readonly ItemRef[], { serverId = mainServer.serverId }: Target): void {
  if (items.some((item) => item.serverId !== serverId)) throw refusal('fileOrFolderCopy', 'interconnectedServerMissing')
}

/** Whether all folders lie in the same library. */
async function inOneLibrary(
  { serverId = mainServer.serverId }: Target,
  folderIds: readonly number[],
): Promise<boolean> {
  const libraries = await Promise.all(
    folderIds.map(async (folderId) => {
      const { folder, ancestors } = await api.of({ serverId }).getFolderInfo2({ folderId })
      return (ancestors[0] ?? folder).fId
    }),
  )
  return new Set(libraries).size <= 1
}

/** The kinds of items that can be created. */
export type NewKind = 'folder' | 'docx' | 'xlsx' | 'pptx' | 'txt' | 'md'

/** Creates a folder or an empty file under the first free name and returns it for renaming. */
export async function create(
  kind: NewKind,
  { serverId, fId: parentId }: FolderRef,
  taken: (name: string) => boolean,
  choice: object = {},
): Promise<ItemRef> {
  const base = t(`drive.newName.${kind}`)
  const isFolder = kind === 'folder'
  const plain = isFolder ? base : `${base}.${kind}`
  for (let n = 1; ; n++) {
    const name = n === 1 ? plain : numberedName(plain, n, { isFolder })
    if (taken(name)) continue
    try {
      if (isFolder) {
        const { folderId, item } = await api.of({ serverId }).folderCreate({ parentId, folderName: name })
        return madeOf({ serverId, fType: 2, fId: folderId }, item, parentId)
      }
      const { fileId, item } = await api.of({ serverId }).fileCreate({ folderId: parentId, fileName: name, ...choice })
      return madeOf({ serverId, fType: 1, fId: fileId }, item, parentId)
    } catch (error) {
      // Another user took the name, or the item of that name is on a page that is not loaded yet.
      if (error instanceof CallError && error.code === 'alreadyExists' && n < 200) continue
      throw error
    }
  }
}

/** Adds the row of a new item to the lists at once if the answer contains it. Otherwise fetches it. */
function madeOf(ref: ItemRef, item: ItemRecord | undefined, parentId: number): ItemRef {
  if (item !== undefined) itemMade(item)
  else itemsChanged([ref], [parentId])
  return ref
}

/** Validates a name before it is sent. Returns the error text, or undefined. */
export function nameProblem(raw: string): string | undefined {
  const checked = itemName(raw)
  return 'code' in checked ? t(`drive.name.${checked.code}`) : undefined
}
