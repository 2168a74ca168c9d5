// A sample area to test the joins: this folder, and one line in app/areas.ts. The compiler reads only that file and
// does not know its texts and windows; a real area needs no such `as`.
import type { ReactNode } from 'react'
import type { AdminPage, AreaRoute, AreaSession, Notices, PushReactions, RailEntry } from '../../src/core/area/area.ts'
import type { PlainTextKey } from '../../src/core/i18n/i18n.ts'
import { openFrame, type WindowProps, win, windowNamed } from '../../src/core/windows/index.ts'
import type { ItemAction } from '../../src/items/actions/item-action.tsx'

const zh = { 'parking.title': '停车', 'parking.book': '预订车位…' }
const en = { 'parking.title': 'Parking', 'parking.book': 'Book a space…' }
export const texts = { zh, en }
const key = (text: keyof typeof zh): PlainTextKey => text as string as PlainTextKey

/** A log for the test. */
export const log: string[] = []

interface Booking {
  readonly car: string
}
function Book({ car }: WindowProps<Booking>): ReactNode {
  return <p>{`which space for ${car}?`}</p>
}
export const windows = {
  'parking-book': win<Booking>({
    title: key('parking.title'),
    load: () => Promise.resolve(Book),
    sample: { car: 'A' },
  }),
}

const book: ItemAction = {
  id: 'book',
  modules: ['files'],
  on: 'items',
  gate: 'see',
  count: 'one',
  label: key('parking.book'),
  keys: ['Alt+B'],
  help: 'acts',
  menu: { group: 'change', place: 25 },
  run({ items: [item] }) {
    const window = windowNamed('parking-book')
    if (item && window) void openFrame('parking-book', window, { car: item.fName })
  },
}
export const menu = [book]

export const pushes: PushReactions = { fileChange: ({ fId }) => void log.push(`file ${fId}`) }
export const notices: Notices = {
  folderChange: { group: 'parking', key: ({ fId }) => `${fId}`, text: ({ fId, fName }) => `${fName} ${fId} is full` },
}
export const refetch = (): void => void log.push('refetch')

function Parking(): ReactNode {
  return <h1>eleven spaces</h1>
}
export const routes: AreaRoute[] = [{ path: 'parking', page: Parking }]
export const rail: RailEntry[] = [
  { path: '/doc/folder/parking', label: key('parking.title'), icon: 'P', current: 'P!' },
]

/** One page for each of two powers. */
const pagesOfPowers: AdminPage[] = (['system', 'audit'] as const).map((power) => ({
  page: `parking-${power}`,
  group: 'operation',
  order: 90,
  icon: 'P',
  label: key('parking.title'),
  power,
  component: () => <h1>{`spaces of ${power}`}</h1>,
}))
export const adminPages = () => Promise.resolve(pagesOfPowers)

export function start({ userId }: AreaSession): () => void {
  log.push(`start ${userId}`)
  return () => void log.push(`end ${userId}`)
}
