// The overlays of a grid: cursors of other users, the selection, copied cells, the fill range, and ranges referenced by
// a formula.
import { type Area, refOf } from '@cloudoc/office/workbook'
import type { CSSProperties, ReactNode } from 'react'
import { useT } from '../../core/i18n/i18n.ts'
import { type GridModel, type Selection, selected } from './grid-model.ts'
import type { GridCursor } from './use-grid-cursor.ts'
import type { SizeLine } from './use-resizing.ts'

/** The cursor of another user. */
export interface RemoteSelection {
  readonly client: number
  readonly name: string
  readonly color: string
  readonly selection: Selection
}

interface MarksProps {
  readonly model: GridModel
  readonly boxOf: (area: Area) => CSSProperties
  readonly others: readonly RemoteSelection[]
  readonly copied: Area | undefined
  readonly filling: Area | undefined
  /** The ranges referenced by the formula that the user is typing. */
  readonly named: readonly { readonly name: string; readonly area: Area }[]
}

export const nameColors = ['#1c4fb8', '#c0392b', '#7a3fb0', '#1f7a3d', '#b3560d', '#0b7285'] as const

export function Marks({ model, boxOf, others, copied, filling, named }: MarksProps): ReactNode {
  return (
    <>
      {others.map(({ client, name, color, selection }) => (
        <span
          key={client}
          className="gr-other"
          style={{ ...boxOf(selected(model, selection)), borderColor: color }}
          data-ref={refOf(selection.row, selection.column)}
        >
          <span style={{ background: color }}>{name}</span>
        </span>
      ))}
      {named.map(({ name, area }, n) => (
        <span
          key={name}
          className="gr-named"
          style={{ ...boxOf(area), color: nameColors[n % nameColors.length] }}
          data-ref={name}
        />
      ))}
      {copied !== undefined && <span className="gr-copied" style={boxOf(copied)} />}
      {filling !== undefined && <span className="gr-filling" style={boxOf(filling)} />}
    </>
  )
}

interface SelectionMarksProps {
  readonly cursor: GridCursor
  readonly boxOf: (area: Area) => CSSProperties
  readonly hasHandle: boolean
}

/** The selection, its active cell, and the fill handle. */
export function SelectionMarks({ cursor, boxOf, hasHandle }: SelectionMarksProps): ReactNode {
  const t = useT()
  const { area, here, active } = cursor
  return (
    <>
      <span className="gr-area" style={boxOf(area)} />
      <span className="gr-active" style={boxOf(active)} data-ref={refOf(here.row, here.column)} />
      {hasHandle && boxOf(area).clipPath === undefined && (
        <span className="gr-handle" style={handleAt(boxOf(area))} title={t('grid.fill')} />
      )}
    </>
  )
}

/** The position of the fill handle at the corner of the selection. */
function handleAt({ insetBlockStart, insetInlineStart, height, width }: CSSProperties): CSSProperties {
  return {
    insetBlockStart: Number(insetBlockStart) + Number(height) - 4,
    insetInlineStart: Number(insetInlineStart) + Number(width) - 4,
  }
}

interface EdgeLineProps {
  readonly line: SizeLine | undefined
  readonly head: number
  readonly side: number
}

/** The edge of a row or column while it is dragged. */
export function EdgeLine({ line, head, side }: EdgeLineProps): ReactNode {
  if (line === undefined) return null
  return (
    <span
      className="gr-size"
      style={
        line.axis === 'columns'
          ? { insetInlineStart: side + line.at, insetBlock: 0, width: 1 }
          : { insetBlockStart: head + line.at, insetInline: 0, height: 1 }
      }
    />
  )
}
