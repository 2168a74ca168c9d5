// @vitest-environment happy-dom
import { afterEach, expect, it } from 'vitest'
import { cleanUp, press, render } from '../../test/render.tsx'
import { onRowLetter } from './row-letters.ts'
import { Table } from './table.tsx'

afterEach(cleanUp)

const focusedName = () => document.activeElement?.textContent
it('[R263] [R271] J and K move between rows, other letters act on the focused one, and none with Ctrl', async () => {
  const done: string[] = []
  await render(
    <Table
      label="rows"
      columns={[{ id: 'name', head: 'name', renderCell: (row: string) => row }]}
      rows={['甲', '乙', '丙']}
      keyOf={(row) => row}
      onOpen={() => undefined}
      onRowKey={(row, event) => onRowLetter(event, { a: () => done.push(row), Delete: () => done.push(`-${row}`) })}
    />,
  )
  document.querySelector<HTMLElement>('.k-table-open')?.focus()
  await press('j')
  expect(focusedName()).toBe('乙')
  await press('J')
  await press('k')
  expect(focusedName()).toBe('乙')
  await press('a')
  await press('A', { ctrlKey: true })
  await press('Delete')
  await press('x')
  expect(done).toEqual(['乙', '-乙'])
})
