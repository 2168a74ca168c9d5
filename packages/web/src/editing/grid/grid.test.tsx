// @vitest-environment happy-dom
// The keys of a grid: moving, typing, pointing at cells, filling and clearing.
import { createRef } from 'react'
import { afterEach, expect, it } from 'vitest'
import { act, cleanUp, element, press, render } from '../../../test/render.tsx'
import { openTable } from '../table/table-model.ts'
import { Grid } from './grid.tsx'
import type { GridHandle } from './use-grid-handle.ts'

afterEach(cleanUp)

async function open(text: string) {
  const model = openTable(text, ',')
  const handle = createRef<GridHandle>()
  const refused: string[] = []
  await render(
    <Grid
      model={model}
      isEditable
      zoom={100}
      label="grid"
      handle={handle}
      onSelect={() => undefined}
      onRefused={(why) => refused.push(why)}
      undo={() => void model.undo()}
      redo={() => void model.redo()}
    />,
  )
  return { model, handle, refused, typed: (row: number, column: number) => model.typed(row, column) }
}
const field = (): HTMLTextAreaElement => element('.gr-field') as HTMLTextAreaElement
const here = (): string | undefined => element('.gr-active').dataset['ref']
const selected = (): string => (element('.gr-name') as HTMLInputElement).value
/** Types as a person does: the caret is after what is typed. */
async function type(text: string): Promise<void> {
  await act(async () => {
    Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(field(), text)
    field().setSelectionRange(text.length, text.length)
    field().dispatchEvent(new Event('input', { bubbles: true }))
  })
}

it('[R171] Enter goes down, Tab along, and Enter after Tab to the next line; Esc leaves a cell as it was', async () => {
  const { typed } = await open('1,2,3\n4,5,6\n')
  expect(document.activeElement).toBe(field())
  await press('ArrowRight')
  await type('7')
  await press('Tab')
  await type('8')
  await press('Enter')
  expect([typed(0, 1), typed(0, 2), here()]).toEqual(['7', '8', 'B2'])
  await type('9')
  await press('Escape')
  expect([typed(1, 1), here(), field().value]).toEqual(['5', 'B2', ''])
  await press('Enter', { shiftKey: true })
  await press('Tab', { shiftKey: true })
  expect(here()).toBe('A1')
  // Within a selection Enter stays inside.
  await press('ArrowDown', { shiftKey: true })
  await press('Enter')
  await press('Enter')
  expect([here(), selected()]).toEqual(['A1', 'A1:A2'])
})

it('[R171] arrows point at cells in a formula, F4 fixes them, and after F2 they move in the text', async () => {
  const { typed } = await open('1,2\n3,4\n')
  await press('ArrowRight')
  await press('ArrowDown')
  await type('=')
  await press('ArrowUp')
  expect([field().value, here()]).toEqual(['=B1', 'B2'])
  await press('ArrowLeft')
  expect(field().value).toBe('=A1')
  await press('ArrowDown', { shiftKey: true })
  expect(field().value).toBe('=A1:A2')
  await press('F4')
  expect(field().value).toBe('=$A$1:$A$2')
  await press('Enter')
  expect([typed(1, 1), here()]).toEqual(['=$A$1:$A$2', 'B3'])
  await press('ArrowUp')
  await press('F2')
  expect(field().value).toBe('=$A$1:$A$2')
  await press('ArrowUp')
  expect(here()).toBe('B2')
  await press('Escape')
  await type('6')
  await press('ArrowUp')
  expect([typed(1, 1), here()]).toEqual(['6', 'B1'])
})

it('[R171] what is selected is written, filled, cleared and undone as one', async () => {
  const { typed, handle, model } = await open('1,2\n3,4\n')
  await press('a', { ctrlKey: true })
  expect(selected()).toBe('A1:B2')
  await type('x')
  await press('Enter', { ctrlKey: true })
  expect([typed(0, 0), typed(0, 1), typed(1, 0), typed(1, 1)]).toEqual(['x', 'x', 'x', 'x'])
  await press('z', { ctrlKey: true })
  expect([typed(0, 0), typed(1, 1)]).toEqual(['1', '4'])
  await press('d', { ctrlKey: true })
  expect([typed(1, 0), typed(1, 1)]).toEqual(['1', '2'])
  await press('Home', { ctrlKey: true })
  await press(' ', { shiftKey: true })
  expect(selected()).toBe('A1:B1')
  await press('Delete')
  expect([typed(0, 0), typed(0, 1), typed(1, 1)]).toEqual(['', '', '2'])
  // Another user inserts a row above: the edit goes on in its cell, and is given back where that is gone.
  await act(async () => handle.current?.go({ row: 1, column: 0, toRow: 1, toColumn: 0 }))
  await type('draft')
  let left: string | undefined
  await act(async () => {
    left = handle.current?.turned(
      (row, column) => ({ row: row + 1, column }),
      (formula) => formula,
    )
  })
  expect([left, here(), field().value]).toEqual([undefined, 'A3', 'draft'])
  await act(async () => {
    left = handle.current?.turned(
      () => undefined,
      (formula) => formula,
    )
  })
  expect([left, field().value]).toEqual(['draft', ''])
  expect(model.typed(2, 0)).toBe('')
})
