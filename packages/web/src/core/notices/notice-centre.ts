/*
 * The user's unread notices, as stored on the server. They are read once, updated by pushes, and read again after
 * pushes, at most a few times per second, so all tabs and devices converge to the server's state. Updates are drawn
 * once per frame, however many arrive.
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
  /** Sorted so that the group with the newest notice is first. */
  readonly groups: readonly Group[]
  readonly total: number
  /** Whether the unread notices have been loaded from the server. */
  readonly known: boolean
}

const nothing: Centre = { groups: [], total: 0, known: false }

/** The unread notices. */
export const centreStore = createStore<Centre>(() => nothing)

/** Live notices, for components that announce them outside the list. Many notices are delivered as one batch. */
type ArrivalListener = (notices: readonly StoredNotice[]) => void
const arrivalListeners = new Set<ArrivalListener>()

/** Subscribes to live notices. */
export function onArrival(hear: ArrivalListener): () => void {
  arrivalListeners.add(hear)
  return () => arrivalListeners.delete(hear)
}

/** The newest notice in the last server answer. Older notices are in that answer, or were read. */
let upTo = 0
/** The notices that arrived since. */
let late: readonly StoredNotice[] = []
let waiting: StoredNotice[] = []
/** Counts the user's actions, so that an answer requested before an action is not shown after it. */
let deeds = 0
/** The number of actions the server has not answered yet. Its answers meanwhile may be outdated. */
let acting = 0

const isShown = ({ group }: Pick<Group, 'group'>): boolean => group !== 'fileChange' || localFlag('fileChangeNotice')

function show(groups: readonly Group[], known = centreStore.getState().known): void {
  // Users who disabled notices about changed files see none ([R095], [R107]).
  const shown = groups.filter(isShown)
  centreStore.setState({ groups: shown, total: shown.reduce((sum, { total }) => sum + total, 0), known })
}

const rowsOfGroup = 20

/**
 * The changes stored in this browser for the signed-in account. Undefined without one: an answer requested before a
 * sign-out is not shown to the next user.
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
  // Not waited for: a browser database that does not answer must not hold up what the server says next.
  following = following.then(() => mine.follow(told)).catch(() => undefined)
  if (untold.length === 0) return
  await api.ignoreNotices({ remindIds: [...untold] }, { quiet: true })
  following = following.then(() => mine.markReported(untold))
}

/** Shows the unread notices stored in this browser until the server has answered. */
async function showStored(mine: StoredChanges): Promise<void> {
  await loadRules()
  const own = await mine.unread()
  const { known, groups } = centreStore.getState()
  if (own !== undefined && mine === changes && !known && groups.length === 0) show([own])
}

const mergeOf = ({ pushType }: StoredNotice): 'later' | 'earlier' => ruleOf(pushType)?.merge ?? 'later'

/** What is written to the browser database, in order. */
let following: Promise<unknown> = Promise.resolve()

/** After a failed request the notices are requested again, because nothing else may happen that would do it. */
const againMs = 5000
const loadSoon = createBatcher(() =>
  load().catch(() => {
    if (changes !== undefined) setTimeout(loadNotices, againMs)
  }),
)

/** Loads the unread notices from the server. */
export function loadNotices(): void {
  loadSoon()
}

/** Handles a push that is a notice. */
export function noticeArrived<N extends NoticeName>(name: N, payload: PushPayload<N>): void {
  // The code that delivers pushes has already loaded their declarations.
  const declared = pushDeclaration(name)
  const rule = declared && ruleOf(declared.type)
  if (declared === undefined || rule === undefined) return
  const { remindId, serverId } = payload
  if (remindId <= upTo || (rule.fromMain && serverId !== 0)) return
  const kept = { remindId, group: rule.group, key: rule.key(payload), pushType: declared.type, data: { ...payload } }
  waiting.push({ ...kept, time: Date.now(), read: false })
  if (waiting.length === 1) soon(takeIn)
}

/** The notices that are about to expire. */
const going = new Set<number>()

/** A temporary notice is removed when its lifetime has passed ([R099]), counted from when this page first shows it. */
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

/** Runs in the next frame, or by a timer on a hidden page, which has no frames. */
function soon(work: () => void): void {
  if (document.visibilityState === 'hidden') setTimeout(work)
  else requestAnimationFrame(work)
}

/** What to mark as read. */
export type Ignored =
  | { readonly remindIds: readonly number[] }
  | { readonly groups: readonly NoticeGroup[] }
  | { readonly all: true }

/** Marks notices as read on all devices. Returns the timestamp by which this can be undone, or undefined on failure. */
export async function ignore(what: Ignored): Promise<number | undefined> {
  const { groups } = centreStore.getState()
  const newest = Math.max(upTo, ...groups.flatMap(({ list }) => list.map(({ remindId }) => remindId)))
  deeds += 1
  acting += 1
  if ('remindIds' in what) show(withoutNotices(groups, readWith(groups, what.remindIds)))
  else if ('groups' in what) show(groups.filter(({ group }) => !what.groups.includes(group)))
  else show([])
  const mine = changes
  // Stored at once: if the server cannot be reached, the notice stays read after a reload ([R095]).
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

/** Marks the notices read at that timestamp as unread again. */
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

/** Storage key of the newest notice announced in this browser, per account. */
const notifiedKey = (accountId: number): string => `noticesHeard-${accountId}`
let accountOf = 0
/**
 * Its value when this page started. Unread notices are delivered to every page, and older ones are not announced again.
 */
let notifiedUpTo = 0

function recordNotified(notices: readonly StoredNotice[]): void {
  const newest = Math.max(...notices.map(({ remindId }) => remindId))
  if (newest > Number(stored(notifiedKey(accountOf)) ?? 0)) store(notifiedKey(accountOf), String(newest))
}

const rowsMore = 60

/** Loads older notices of a group. */
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

/** Starts the centre for the signed-in account. Returns the function that stops it. */
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
