// The overlays of a grid: cursors of other users, the selection, copied cells, the fill range, and ranges referenced by
// a formula.
import type { Area } from '@cloudoc/office/cells'
import { refOf } from '@cloudoc/office/cells'
import type { CSSProperties, ReactNode } from 'react'
import { type GridModel, type Selection, selected } from './grid-model.ts'

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
