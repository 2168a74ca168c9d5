// What somebody says of a request, theirs or one that they decide about.
import type { ReactNode } from 'react'
import './approvals.css'

/** Comments of a request have so many characters at most. */
const mostComments = 1000

interface CommentsFieldProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly rows?: number
}

/** A text of some lines, with its length. */
export function CommentsField({ label, value, onChange, rows = 3 }: CommentsFieldProps): ReactNode {
  return (
    <div className="ap-comments">
      <textarea
        aria-label={label}
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
