// What is seen when a note has been stuck on.
import type { ReactNode } from 'react'
import type { WindowProps } from '../core/windows/index.ts'

export function Stuck({ fileName }: WindowProps<{ readonly fileName: string }>): ReactNode {
  return <p>{fileName}</p>
}
