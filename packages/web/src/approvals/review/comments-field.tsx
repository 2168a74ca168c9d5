// A comment on a request, by the requester or by a reviewer.
import type { ReactNode } from 'react'
import './approvals.css'

/** The maximum length of a comment on a request, in characters. */
const mostComments = 1000

interface CommentsFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly rows?: number
  /** The label is also shown in the empty field, because no heading names it. */
  readonly showsLabel?: boolean
}

/** A multi-line text with its length. */
export function CommentsField({ label, value, onChange, rows = 3, showsLabel = false }: CommentsFieldProps): ReactNode {
  return (
    <div className="ap-comments">
      <textarea
        aria-label={label}
        placeholder={showsLabel ? label : undefined}
        rows={rows}
        maxLength={mostComments}
        value={value}
        onChange={({ target }) => onChange(target.value)}
      />
      <small>
        {value.length} / {mostComments}
      </small>
    </div>
  )
}
