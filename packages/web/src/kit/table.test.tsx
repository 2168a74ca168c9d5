// @vitest-environment happy-dom
import { type ReactNode, useState } from 'react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { act, cleanUp, click, element, press, render } from '../../test/render.tsx'
import { type Column, type RowKey, Table, TableName, type TableSort } from './table.tsx'

interface Fruit {
  readonly id: number
  readonly name: string
  readonly weight: number
}

const fruits: readonly Fruit[] = [
  { id: 1, name: 'Apple', weight: 120 },
  { id: 2, name: 'Banana', weight: 150 },
  { id: 3, name: 'Cherry', weight: 8 },
  { id: 4, name: 'Date', weight: 7 },
]
const columns: readonly Column<Fruit>[] = [
  { id: 'name', head: 'Name', isSortable: true, renderCell: ({ name }) => <TableName>{name}</TableName> },
  { id: 'weight', head: 'Weight', align: 'number', isSortable: true, renderCell: ({ weight }) => weight },
  { id: 'more', head: 'More', isHeadHidden: true, renderCell: ({ name }) => <button type="button">Eat {name}</button> },
]
const onOpen = vi.fn<(fruit: Fruit) => void>()
const onSelect = vi.fn<(chosen: RowKey[]) => void>()
const onMenu = vi.fn<(fruit: Fruit) => void>()

interface ListProps {
  readonly rows?: readonly Fruit[]
  readonly selects?: boolean
  readonly detailOf?: number
}

function List({ rows = fruits, selects = false, detailOf }: ListProps): ReactNode {
  const [sort, setSort] = useState<TableSort>({ column: 'name', isDescending: false })
  const [chosen, setChosen] = useState<ReadonlySet<RowKey>>(new Set())
  const sorted = rows.toSorted((a, b) => {
    const by = sort.column === 'weight' ? a.weight - b.weight : a.name.localeCompare(b.name)
    return sort.isDescending ? -by : by
  })
  const selection = {
    chosen,
    allLabel: 'All',
    onChange(next: ReadonlySet<RowKey>) {
      onSelect([...next])
      setChosen(next)
    },
  }
  return (
    <Table
      label="Fruits"
      columns={columns}
      rows={sorted}
      keyOf={({ id }) => id}
      nameOf={({ name }) => name}
      sort={sort}
      onSort={setSort}
      {...(selects && { selection })}
      onOpen={onOpen}
      onMenu={onMenu}
      renderDetail={(fruit) => fruit.id === detailOf && <p>About {fruit.name}</p>}
      empty={<p>No fruit</p>}
    />
  )
}

const rowOf = (name: string): HTMLElement => element(`[data-list-row="${name}"]`)
const names = (): string[] => [...document.querySelectorAll('[data-list-row]')].map((one) => one.textContent)
const checkbox = (name: string): HTMLElement => element(`input[aria-label="${name}"]`)
const focused = (): string => document.activeElement?.textContent ?? ''

afterEach(async () => {
  await cleanUp()
  vi.clearAllMocks()
})

describe('a table', () => {
  it('has the roles of a table, and names hidden heads', async () => {
    await render(<List />)
    expect(element('table').getAttribute('aria-label')).toBe('Fruits')
    const heads = [...document.querySelectorAll('th[scope=col]')]
    expect(heads.map((head) => head.getAttribute('aria-label') ?? head.textContent)).toEqual([
      'Name↑',
      'Weight',
      'More',
    ])
  })

  it('shows its empty, loading and error content instead of rows', async () => {
    await render(<List rows={[]} />)
    expect([document.querySelector('table'), element('p').textContent]).toEqual([null, 'No fruit'])
    const none = { columns, keyOf: ({ id }: Fruit) => id, loading: <p>Loading</p> }
    await render(<Table {...none} rows={undefined} />)
    expect(element('p').textContent).toBe('Loading')
    await render(<Table {...none} rows={fruits} failure={<p>Failed</p>} />)
    expect(element('p').textContent).toBe('Failed')
  })

  it('sorts by a head, and turns the order at the second click', async () => {
    await render(<List />)
    const sortOf = (): (string | null)[] =>
      [...document.querySelectorAll('th')].map((head) => head.getAttribute('aria-sort'))
    expect(sortOf()).toEqual(['ascending', null, null])
    await click(element('th:nth-child(2) button'))
    expect([names()[0], sortOf()]).toEqual(['Date', [null, 'ascending', null]])
    await click(element('th:nth-child(2) button'))
    expect([names()[0], sortOf()]).toEqual(['Banana', [null, 'descending', null]])
  })

  it('opens a row by a click anywhere but on its other controls, and by its button', async () => {
    await render(<List />)
    await click(element('tbody tr:nth-child(2) td:nth-child(2)'))
    await click(element('tbody tr:nth-child(2) td:nth-child(3) button'))
    await click(rowOf('Cherry'))
    expect(onOpen.mock.calls.map(([{ name }]) => name)).toEqual(['Banana', 'Cherry'])
  })

  it('has one tab stop among its rows, and moves between them by arrows, Home, End and letters', async () => {
    await render(<List />)
    expect([...document.querySelectorAll('[data-list-row][tabindex="0"]')]).toEqual([rowOf('Apple')])
    await act(async () => rowOf('Apple').focus())
    await press('ArrowDown')
    expect(focused()).toBe('Banana')
    expect([...document.querySelectorAll('[data-list-row][tabindex="0"]')]).toEqual([rowOf('Banana')])
    await press('End')
    await press('ArrowUp')
    expect(focused()).toBe('Cherry')
    await press('a')
    expect(focused()).toBe('Apple')
  })

  it('selects by checkbox, by Space, all of them, and a range with Shift', async () => {
    await render(<List selects />)
    await click(checkbox('Banana'))
    expect(onSelect).toHaveBeenLastCalledWith([2])
    expect(element('tbody tr:nth-child(2)').getAttribute('aria-selected')).toBe('true')
    await act(async () => rowOf('Date').focus())
    await press(' ', { shiftKey: true })
    expect(onSelect).toHaveBeenLastCalledWith([2, 3, 4])
    await press(' ')
    expect(onSelect).toHaveBeenLastCalledWith([2, 3])
    await click(checkbox('All'))
    expect(onSelect.mock.lastCall?.[0].toSorted()).toEqual([1, 2, 3, 4])
    await click(checkbox('All'))
    expect(onSelect).toHaveBeenLastCalledWith([])
    await press('a', { ctrlKey: true })
    expect(onSelect).toHaveBeenLastCalledWith([1, 2, 3, 4])
    expect(onOpen).not.toHaveBeenCalled()
  })

  it('shows details below a row, whose button says that it is expanded', async () => {
    await render(<List selects detailOf={3} />)
    expect(rowOf('Cherry').getAttribute('aria-expanded')).toBe('true')
    expect(rowOf('Apple').getAttribute('aria-expanded')).toBe('false')
    const below = element('.k-table-detail td')
    expect([below.textContent, below.getAttribute('colspan')]).toEqual(['About Cherry', '4'])
  })

  it('opens the menu of a row at the pointer', async () => {
    await render(<List />)
    const event = new MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: 7, clientY: 9 })
    await act(async () => rowOf('Date').dispatchEvent(event))
    expect(onMenu).toHaveBeenCalledWith(fruits[3], { x: 7, y: 9 })
    expect(event.defaultPrevented).toBe(true)
  })

  it('that is virtual says how many rows there are', async () => {
    await render(<Table label="Many" columns={columns} rows={fruits} keyOf={({ id }) => id} isVirtual />)
    expect(element('table').getAttribute('aria-rowcount')).toBe('5')
  })
})
