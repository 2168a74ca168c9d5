// The table of users: a virtual list that draws only the visible rows.

import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useLocale, useT } from '../../core/i18n/i18n.ts'
import { showMenu } from '../../core/menu/menu.ts'
import { Button } from '../../kit/button.tsx'
import { StatePage } from '../../kit/state-page.tsx'
import { InitialsAvatar } from '../../people/index.ts'
import { useAdministrationScope } from '../shared/administration-scope.ts'
import { relativeTime, StateTag, useLevels } from '../shared/form-parts.tsx'
import { maxPeoplePerCall, type PersonRow, useRoles } from '../shared/organisation-queries.ts'
import { dragged } from '../tree/department-tree.tsx'
import { menuOfPeople } from './people-actions.ts'
import { everybody, type PeopleList } from './use-people.ts'

interface TableProps {
  readonly people: PeopleList
  readonly openId: number | undefined
  readonly onOpen: (userId: number | undefined) => void
  /** The text for an empty list. */
  readonly empty: string
}

const rowHeights = { compact: 30, default: 36, comfortable: 44 } as const
const rowHeight = (): number =>
  rowHeights[(document.documentElement.dataset['density'] ?? 'default') as keyof typeof rowHeights] ?? 36

export function PeopleTable({ people, openId, onOpen, empty }: TableProps): ReactNode {
  const t = useT()
  const levels = useLevels()
  const roles = useRoles().data?.list ?? []
  const may = useAdministrationScope()
  const scroll = useRef<HTMLDivElement>(null)
  const [cursor, setCursor] = useState(0)
  const anchor = useRef(0)
  const total = people.total ?? 0
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroll.current,
    estimateSize: rowHeight,
    overscan: 12,
  })
  const rows = virtual.getVirtualItems()
  const first = rows[0]?.index ?? 0
  const last = rows.at(-1)?.index ?? 0
  useEffect(() => people.show(first, last))
  const key = JSON.stringify(people.filter)
  // A different list scrolls to its top.
  const toTop = useEffectEvent(() => {
    setCursor(0)
    anchor.current = 0
    virtual.scrollToOffset(0)
  })
  useEffect(() => toTop(), [key])

  /** The keyboard moved the cursor: the row gets the focus once it is drawn. */
  const follows = useRef(false)
  useEffect(() => {
    const row = follows.current ? document.getElementById(`or-row-${cursor}`) : null
    if (row === null) return
    follows.current = false
    row.focus({ preventScroll: true })
  })

  const selected = people.selected()
  const choose = (index: number, { range, keep }: { range: boolean; keep: boolean }): void => {
    const person = people.at(index)
    setCursor(index)
    if (range) {
      const [from, to] = [Math.min(anchor.current, index), Math.max(anchor.current, index)]
      const between = Array.from({ length: to - from + 1 }, (_, n) => people.at(from + n))
      people.select(between.filter((one) => one !== undefined).slice(0, maxPeoplePerCall))
      return
    }
    anchor.current = index
    if (person === undefined) return
    if (!keep) people.select([person])
    else if (people.isSelected(person.userId)) people.select(selected.filter(({ userId }) => userId !== person.userId))
    else people.select([...selected, person].slice(0, maxPeoplePerCall))
  }
  const selectAll = async (): Promise<void> => {
    if (selected.length > 0) people.select([])
    else people.select(await everybody(people.filter, maxPeoplePerCall))
  }
  const menuFor = (them: readonly PersonRow[], x: number, y: number): void =>
    void showMenu(menuOfPeople(them, { may, roles, onOpen, levels }), { x, y })

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const page = Math.max(1, Math.floor((scroll.current?.clientHeight ?? 0) / rowHeight()) - 1)
    const to = cursorAfter(event.key, cursor, page, total)
    if (to !== undefined) {
      const index = Math.max(0, Math.min(total - 1, to))
      virtual.scrollToIndex(index)
      follows.current = true
      if (event.ctrlKey) setCursor(index)
      else if (event.shiftKey) choose(index, { range: true, keep: false })
      else {
        anchor.current = index
        setCursor(index)
      }
    } else if (event.key === ' ') choose(cursor, { range: false, keep: true })
    else if (event.key === 'Enter') onOpen(people.at(cursor)?.userId)
    else if (event.key === 'a' && event.ctrlKey) void everybody(people.filter, maxPeoplePerCall).then(people.select)
    else if (event.key === 'Escape' && selected.length > 0) people.select([])
    else if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) {
      const box = event.currentTarget.getBoundingClientRect()
      const top = (virtual.measurementsCache[cursor]?.start ?? 0) - (scroll.current?.scrollTop ?? 0)
      const one = people.at(cursor)
      const them = selected.length > 0 ? selected : one === undefined ? [] : [one]
      if (them.length > 0) menuFor(them, box.left + 48, box.top + top + rowHeight())
    } else return
    event.preventDefault()
  }
  const onRowMenu = (event: MouseEvent, index: number, person: PersonRow): void => {
    event.preventDefault()
    if (!people.isSelected(person.userId)) choose(index, { range: false, keep: false })
    menuFor(people.isSelected(person.userId) ? selected : [person], event.clientX, event.clientY)
  }

  if (people.failed !== null) return <StatePage title={t('org.failed')} text={people.failed.message} />
  return (
    <div
      className="or-table"
      role="grid"
      aria-label={t('org.people')}
      aria-rowcount={total}
      aria-multiselectable="true"
    >
      <TableHead
        total={total}
        selected={selected.length}
        onAll={() => void selectAll()}
        onNone={() => people.select([])}
        onMenu={(x, y) => menuFor(selected, x, y)}
      />
      {people.total === 0 ? (
        <StatePage title={empty} />
      ) : (
        <div
          ref={scroll}
          className="or-rows"
          role="rowgroup"
          aria-busy={people.total === undefined}
          onKeyDown={onKeyDown}
        >
          <div role="presentation" style={{ height: virtual.getTotalSize(), position: 'relative' }}>
            {rows.map(({ index, start }) => {
              const person = people.at(index)
              return (
                <Row
                  key={index}
                  index={index}
                  top={start}
                  person={person}
                  level={person === undefined ? '' : (levels[person.secretLevel] ?? String(person.secretLevel))}
                  isSelected={person !== undefined && people.isSelected(person.userId)}
                  isOpen={person !== undefined && person.userId === openId}
                  isCursor={index === cursor}
                  onClick={(event, keep) => choose(index, { range: event.shiftKey, keep: keep || event.ctrlKey })}
                  onOpen={(userId) => {
                    setCursor(index)
                    anchor.current = index
                    onOpen(userId)
                  }}
                  onMenu={(event) => person && onRowMenu(event, index, person)}
                  onDrag={() => {
                    if (person !== undefined && !people.isSelected(person.userId)) people.select([person])
                  }}
                />
              )
            })}
          </div>
        </div>
      )}
    </div>
  )
}

/** The row that a key goes to. */
const cursorAfter = (key: string, cursor: number, page: number, total: number): number | undefined =>
  ({
    ArrowDown: cursor + 1,
    ArrowUp: cursor - 1,
    PageDown: cursor + page,
    PageUp: cursor - page,
    Home: 0,
    End: total - 1,
  })[key]

interface HeadProps {
  readonly total: number
  /** The number of selected people. */
  readonly selected: number
  readonly onAll: () => void
  readonly onNone: () => void
  readonly onMenu: (x: number, y: number) => void
}

/** The names of the columns, or what can be done with the selected people. */
function TableHead({ total, selected, onAll, onNone, onMenu }: HeadProps): ReactNode {
  const t = useT()
  return (
    <div className="or-row or-columns" role="row">
      <span role="columnheader">
        <input
          type="checkbox"
          aria-label={t('org.selectAll')}
          data-tip={total > maxPeoplePerCall ? t('org.selectSome', { n: maxPeoplePerCall }) : undefined}
          checked={selected > 0}
          ref={(box) => {
            if (box) box.indeterminate = selected > 0 && selected < Math.min(total, maxPeoplePerCall)
          }}
          onChange={onAll}
        />
      </span>
      {selected === 0 ? (
        (['person', 'group', 'roles', 'level', 'state', 'signedIn'] as const).map((column) => (
          <span key={column} role="columnheader">
            {t(`org.column.${column}`)}
          </span>
        ))
      ) : (
        <span className="or-selected" role="columnheader">
          <b>{t('org.selected', { n: selected })}</b>
          <Button
            size="small"
            aria-haspopup="menu"
            onClick={({ currentTarget }) => {
              const { left, bottom } = currentTarget.getBoundingClientRect()
              onMenu(left, bottom + 4)
            }}
          >
            {t('org.batch')}
          </Button>
          <Button kind="ghost" size="small" onClick={onNone}>
            {t('org.deselect')}
          </Button>
        </span>
      )}
    </div>
  )
}

interface RowProps {
  readonly index: number
  readonly top: number
  readonly person: PersonRow | undefined
  readonly level: string
  readonly isSelected: boolean
  readonly isOpen: boolean
  readonly isCursor: boolean
  readonly onClick: (event: { shiftKey: boolean; ctrlKey: boolean }, keep: boolean) => void
  readonly onOpen: (userId: number) => void
  readonly onMenu: (event: MouseEvent) => void
  readonly onDrag: () => void
}

function Row({ index, top, person, level, isSelected, isOpen, isCursor, ...on }: RowProps): ReactNode {
  const t = useT()
  const locale = useLocale()
  const powers = person?.isAdmin ? [t('org.admin')] : (person?.powers ?? []).map((power) => t(`admin.power.${power}`))
  const looks = ['or-row', isSelected && 'is-selected', isOpen && 'is-open', isCursor && 'is-cursor']
  const place = { transform: `translateY(${top}px)` }
  if (person === undefined)
    return (
      <div
        id={`or-row-${index}`}
        className="or-row is-waiting"
        role="row"
        aria-rowindex={index + 1}
        tabIndex={isCursor ? 0 : -1}
        style={place}
      >
        <span />
        <i className="or-bone" />
      </div>
    )
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the keys of the grid.
    <div
      id={`or-row-${index}`}
      className={looks.filter(Boolean).join(' ')}
      role="row"
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      tabIndex={isCursor ? 0 : -1}
      style={place}
      draggable
      onDragStart={(event) => {
        on.onDrag()
        dragged.people = true
        event.dataTransfer.effectAllowed = 'move'
        event.dataTransfer.setData('text/plain', person.accountName)
      }}
      onDragEnd={() => {
        dragged.people = false
      }}
      onClick={(event) => {
        if (event.shiftKey || event.ctrlKey) on.onClick(event, true)
        else on.onOpen(person.userId)
      }}
      onContextMenu={on.onMenu}
    >
      <span role="gridcell">
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: a box is clicked by its key. */}
        <input
          type="checkbox"
          tabIndex={-1}
          aria-label={t('org.select', { name: person.accountName })}
          checked={isSelected}
          onClick={(event) => event.stopPropagation()}
          onChange={(event) =>
            on.onClick({ shiftKey: (event.nativeEvent as globalThis.MouseEvent).shiftKey, ctrlKey: true }, true)
          }
        />
      </span>
      <span role="gridcell" className="or-who">
        <InitialsAvatar id={person.userId} name={person.accountName} />
        <span title={person.accountName}>{person.accountName}</span>
        <small title={person.account}>{person.account}</small>
      </span>
      <span role="gridcell" title={person.groupName}>
        {person.groupName}
      </span>
      <span role="gridcell" title={[...powers, ...person.roles].join('、')}>
        {[...powers, ...person.roles].join('、') || '—'}
      </span>
      <span role="gridcell">{level}</span>
      <span role="gridcell">
        <StateTag {...person} />
      </span>
      <span role="gridcell" className="or-time">
        {person.signedInTime === 0 ? t('org.never') : relativeTime(person.signedInTime, locale)}
      </span>
    </div>
  )
}
