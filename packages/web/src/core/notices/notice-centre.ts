/*
 * What this person has not seen yet, as the server keeps it: read once, then brought on by pushes, and read again after
 * them, a few times a second at most, so that every tab and machine ends with what the server says. What comes is drawn
 * once a frame, however much it is.
 */
import type { NoticeGroup, NoticeName, PushPayload } from '@cloudoc/contract'
import { createStore } from 'zustand/vanilla'
import { api } from '../call/api.ts'
import { createBatcher } from '../page/batcher.ts'
import { followLocalFlags, localFlag } from '../session/local-state.ts'
import { store, stored } from '../storage/storage.ts'
import {
  type Group,
  loadRules,
  pushDeclaration,
  readWith,
  ruleOf,
  type StoredNotice,
  toStoredNotice,
  withLoaded,
  withNotice,
  withoutNotices,
} from './notice-groups.ts'
import { type StoredChanges, storedChanges, withoutRead } from './stored-changes.ts'

export type { Group, StoredNotice } from './notice-groups.ts'

interface Centre {
  /** The group with the newest first. */
  readonly groups: readonly Group[]
  readonly total: number
  /** Whether the server has been asked, with success. */
  readonly known: boolean
}

const nothing: Centre = { groups: [], total: 0, known: false }

/** What is unread. */
export const centreStore = createStore<Centre>(() => nothing)

/** What came live, for whoever tells of it beyond the list; the page is told of much at once in one piece. */
type ArrivalListener = (notices: readonly StoredNotice[]) => void
const arrivalListeners = new Set<ArrivalListener>()

/** Hears what comes while the page is there. */
export function onArrival(hear: ArrivalListener): () => void {
  arrivalListeners.add(hear)
  return () => arrivalListeners.delete(hear)
}

/** The server's newest, when it was last asked: what is older is in its answer, or was read. */
let upTo = 0
/** What came since. */
let late: readonly StoredNotice[] = []
let waiting: StoredNotice[] = []
/** Counts what the person does, so that an answer from before is not shown after it. */
let deeds = 0
/** Of those, how many the server has not answered yet: what it says meanwhile may be from before. */
let acting = 0

const isShown = ({ group }: Pick<Group, 'group'>): boolean => group !== 'fileChange' || localFlag('fileChangeNotice')

function show(groups: readonly Group[], known = centreStore.getState().known): void {
  // Whoever wants to hear nothing of changed files has none ([R095], [R107]).
  const shown = groups.filter(isShown)
  centreStore.setState({ groups: shown, total: shown.reduce((sum, { total }) => sum + total, 0), known })
}

const rowsOfGroup = 20

/**
 * What this browser keeps for who is signed in; undefined for nobody: what was asked for before somebody went is not
 * answered to whoever comes next.
 */
let changes: StoredChanges | undefined

async function load(): Promise<void> {
  const mine = changes
  if (mine === undefined) return
  const asked = deeds
  const [fresh] = await Promise.all([api.getNotices({ rows: rowsOfGroup }, { quiet: true }), loadRules()])
  if (acting > 0) return
  if (asked !== deeds) return loadNotices()
  const told = fresh.groups.map((one) => ({ ...one, list: one.list.map(toStoredNotice) }))
  const untold = mine.unreported(told)
  const answered = withoutRead(told, untold)
  upTo = fresh.upTo
  late = late.filter(({ remindId }) => remindId > upTo)
  const { groups } = centreStore.getState()
  show(
    [...late].reduce((all, notice) => withNotice(all, notice, mergeOf(notice)), withLoaded(answered, groups)),
    true,
  )
  for (const { list } of answered) for (const notice of list) fade(notice)
  await mine.follow(told)
  if (untold.length === 0) return
  await api.ignoreNotices({ remindIds: [...untold] }, { quiet: true })
  mine.markReported(untold)
}

/** What stood unread here, until the server has answered. */
async function showStored(mine: StoredChanges): Promise<void> {
  await loadRules()
  const own = await mine.unread()
  const { known, groups } = centreStore.getState()
  if (own !== undefined && mine === changes && !known && groups.length === 0) show([own])
}

const mergeOf = ({ pushType }: StoredNotice): 'later' | 'earlier' => ruleOf(pushType)?.merge ?? 'later'

const loadSoon = createBatcher(() => load().catch(() => undefined))

/** Asks the server what is unread. */
export function loadNotices(): void {
  loadSoon()
}

/** A push that is a notice has come. */
export function noticeArrived<N extends NoticeName>(name: N, payload: PushPayload<N>): void {
  // Whoever tells of pushes has loaded what they are declared as.
  const declared = pushDeclaration(name)
  const rule = declared && ruleOf(declared.type)
  if (declared === undefined || rule === undefined) return
  const { remindId, serverId } = payload
  if (remindId <= upTo || (rule.fromMain && serverId !== 0)) return
  const kept = { remindId, group: rule.group, key: rule.key(payload), pushType: declared.type, data: { ...payload } }
  waiting.push({ ...kept, time: Date.now(), read: false })
  if (waiting.length === 1) soon(takeIn)
}

/** Those that are going by themselves. */
const going = new Set<number>()

/** What does not stay goes when it has had its time ([R099]), counted from when it is first seen here. */
function fade({ remindId, pushType }: StoredNotice): void {
  const lifetimeMs = ruleOf(pushType)?.lifetimeMs
  if (lifetimeMs === undefined || going.has(remindId)) return
  going.add(remindId)
  setTimeout(() => {
    going.delete(remindId)
    const isThere = centreStore.getState().groups.some(({ list }) => list.some((one) => one.remindId === remindId))
    if (isThere) void ignore({ remindIds: [remindId] }).catch(() => undefined)
  }, lifetimeMs)
}

function takeIn(): void {
  const arrived = waiting
  waiting = []
  late = [...late, ...arrived]
  const { groups } = centreStore.getState()
  const known = new Set(groups.flatMap(({ list }) => list.map(({ remindId }) => remindId)))
  show(arrived.reduce<readonly Group[]>((all, notice) => withNotice(all, notice, mergeOf(notice)), groups))
  for (const notice of arrived) fade(notice)
  void changes?.record(arrived)
  const isNews = ({ remindId }: StoredNotice): boolean => !known.has(remindId) && remindId > notifiedUpTo
  const told = arrived.filter((notice) => isNews(notice) && isShown(notice))
  if (told.length > 0) {
    recordNotified(told)
    for (const hear of arrivalListeners) hear(told)
  }
  loadNotices()
}

/** With the next frame; a page that is hidden has none. */
function soon(work: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(work)
  else requestAnimationFrame(work)
}

/** What is to be ignored. */
export type Ignored =
  | { readonly remindIds: readonly number[] }
  | { readonly groups: readonly NoticeGroup[] }
  | { readonly all: true }

/** Marks notices as read, everywhere; answers the moment by which that can be undone, undefined where it failed. */
export async function ignore(what: Ignored): Promise<number | undefined> {
  const { groups } = centreStore.getState()
  const newest = Math.max(upTo, ...groups.flatMap(({ list }) => list.map(({ remindId }) => remindId)))
  deeds += 1
  acting += 1
  if ('remindIds' in what) show(withoutNotices(groups, readWith(groups, what.remindIds)))
  else if ('groups' in what) show(groups.filter(({ group }) => !what.groups.includes(group)))
  else show([])
  const mine = changes
  // Written down at once: where the server cannot be told it is read all the same when the page comes back ([R095]).
  const isOfChanges = 'remindIds' in what || 'all' in what || what.groups.includes('fileChange')
  const read = isOfChanges ? mine?.read('remindIds' in what ? what.remindIds : 'all') : undefined
  try {
    const { ignoredAt } = await api.ignoreNotices(
      'remindIds' in what
        ? { remindIds: [...what.remindIds] }
        : 'groups' in what
          ? { groups: [...what.groups], upTo: newest }
          : { all: true, upTo: newest },
    )
    mine?.markReported((await read) ?? [])
    late = late.filter(({ remindId }) => remindId > newest)
    return ignoredAt
  } finally {
    deeds += 1
    acting -= 1
    loadNotices()
  }
}

/** Makes unread again what was ignored at that moment. */
export async function restore(ignoredAt: number): Promise<void> {
  deeds += 1
  try {
    await api.restoreNotices({ ignoredAt })
    await changes?.restored()
  } finally {
    deeds += 1
    loadNotices()
  }
}

/** The newest that this browser was told of, by account. */
const notifiedKey = (accountId: number): string => `noticesHeard-${accountId}`
let accountOf = 0
/** That, when this page began: what nobody has read is told again to each page, and is no news there. */
let notifiedUpTo = 0

function recordNotified(notices: readonly StoredNotice[]): void {
  const newest = Math.max(...notices.map(({ remindId }) => remindId))
  if (newest > Number(stored(notifiedKey(accountOf)) ?? 0)) store(notifiedKey(accountOf), String(newest))
}

const rowsMore = 60

/** Loads older ones of a group. */
export async function loadMore(group: NoticeGroup): Promise<void> {
  const before = centreStore
    .getState()
    .groups.find((one) => one.group === group)
    ?.list.at(-1)?.remindId
  const { list } = await api.getNoticeList({
    group,
    unread: true,
    rows: rowsMore,
    ...(before === undefined ? {} : { before }),
  })
  show(
    centreStore
      .getState()
      .groups.map((one) =>
        one.group === group && one.list.at(-1)?.remindId === before
          ? { ...one, list: [...one.list, ...list.map(toStoredNotice)] }
          : one,
      ),
  )
}

/** Begins for whoever has signed in; answers how to end. */
export function startCentre(accountId: number): () => void {
  changes = storedChanges(accountId)
  accountOf = accountId
  notifiedUpTo = Number(stored(notifiedKey(accountId)) ?? 0) || 0
  deeds += 1
  void showStored(changes)
  loadNotices()
  const stop = followLocalFlags(() => {
    show(centreStore.getState().groups)
    loadNotices()
  })
  return () => {
    stop()
    changes = undefined
    upTo = 0
    deeds += 1
    late = []
    waiting = []
    centreStore.setState(nothing, true)
  }
}
