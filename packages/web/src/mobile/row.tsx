import type { ReactNode } from 'react'
import { ChevronRight20Regular } from '../kit/icons.ts'

interface RowProps {
  readonly icon: ReactNode
  readonly label: string
  readonly value?: ReactNode
  readonly onPress: () => void
}

/** A row that leads to another page, or opens a sheet. */
export function Row({ icon, label, value, onPress }: RowProps): ReactNode {
  return (
    <button type="button" className="m-row" onClick={onPress}>
      {icon}
      <span>{label}</span>
      <small>{value}</small>
      <ChevronRight20Regular />
    </button>
  )
}
