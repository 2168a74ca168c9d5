// The table button and menu: inserts a new table by size, and changes rows and columns of the current table.
import { changedTable, hasEvenRows, type TableChange } from '@cloudoc/office/document'
import { type ReactNode, useState } from 'react'
import { t as say, useT } from '../../core/i18n/i18n.ts'
import { editEntries } from '../../core/menu/edit-menu.ts'
import { type MenuEntry, showMenu } from '../../core/menu/menu.ts'
import { IconButton } from '../../kit/button.tsx'
import { Table20Regular, TableSettings20Regular } from '../../kit/icons.ts'
import { Flyout } from '../shared/flyout.tsx'
import type { PageEditor } from './page-editor.ts'
import { changeTable, insertTable, removeTable, tableAt } from './tables.ts'

const rows = 8
const columns = 8

export function TableButton({ page }: { readonly page: PageEditor }): ReactNode {
  const t = useT()
  if (tableAt(page.state()) === undefined) return <NewTable page={page} />
  return (
    <IconButton
      label={t('editor.doc.table.change')}
      icon={<TableSettings20Regular />}
      pressed
      onClick={({ currentTarget }) => {
        const { left, bottom } = currentTarget.getBoundingClientRect()
        void showMenu(tableEntries(page), { x: left, y: bottom + 4 })
      }}
    />
  )
}

function NewTable({ page }: { readonly page: PageEditor }): ReactNode {
  const t = useT()
  const [size, setSize] = useState({ row: 0, column: 0 })
  return (
    <Flyout label={t('editor.doc.table.new')} icon={<Table20Regular />} columns={columns}>
      {(close) => (
        <>
          <div className="dc-sizes" style={{ gridTemplateColumns: `repeat(${columns}, 1fr)` }}>
            {Array.from({ length: rows * columns }, (_, n) => {
              const here = { row: Math.floor(n / columns), column: n % columns }
              const over = (): void => setSize(here)
              return (
                <button
                  key={n}
                  type="button"
                  className={here.row <= size.row && here.column <= size.column ? 'is-in' : ''}
                  aria-label={t('editor.doc.table.size', { rows: here.row + 1, columns: here.column + 1 })}
                  onPointerMove={over}
                  onFocus={over}
                  onClick={() => {
                    close()
                    page.run(insertTable(here.row + 1, here.column + 1, page.textWidth()))
                  }}
                />
              )
            })}
          </div>
          <p>{t('editor.doc.table.size', { rows: size.row + 1, columns: size.column + 1 })}</p>
        </>
      )}
    </Flyout>
  )
}

/** The menu entries for the table at the cursor. */
function tableEntries(page: PageEditor): MenuEntry[] {
  const here = tableAt(page.state())
  if (here === undefined) return []
  const change = (id: TableChange, disabled = false, reason = say('editor.doc.table.uneven')): MenuEntry => ({
    id,
    label: say(`editor.doc.table.${id}`),
    disabled,
    ...(disabled && { reason }),
    run: () => page.run(changeTable(id)),
  })
  const isUneven = !hasEvenRows(here.table)
  const cannot = (id: TableChange): boolean => changedTable(here.table, here.from, here.to, id) === undefined
  return [
    change('rowAbove'),
    change('rowBelow'),
    change('columnBefore', isUneven),
    change('columnAfter', isUneven),
    { separator: true },
    change('merge', cannot('merge'), say('editor.doc.table.merge.how')),
    change('split', cannot('split')),
    { separator: true },
    change('rowsOut'),
    change('columnsOut', isUneven),
    { id: 'tableOut', label: say('editor.doc.table.out'), danger: true, run: () => page.run(removeTable) },
  ]
}

/** Shows the context menu of the page. */
export function showPageMenu(page: PageEditor, event: MouseEvent): void {
  event.preventDefault()
  const table = page.view.editable ? tableEntries(page) : []
  void showMenu([...editEntries(page.view.dom), { separator: true }, ...table], { x: event.clientX, y: event.clientY })
}
