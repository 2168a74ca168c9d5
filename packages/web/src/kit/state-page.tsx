import type { ReactNode } from 'react'
import './state-page.css'

export interface StatePageProps {
  readonly picture?: ReactNode
  readonly title: string
  /** How deep the title stands in what is around it. */
  readonly heading?: 'h1' | 'h2' | 'h3'
  readonly text?: string | undefined
  /** What the server said, for who is asked for help. */
  readonly code?: string | undefined
  /** The next steps. */
  readonly children?: ReactNode
}

/** Stands where content should be: a picture, what is the matter, and what can be done. */
export function StatePage(props: StatePageProps): ReactNode {
  const { picture, title, heading: Heading = 'h2', text, code, children } = props
  return (
    <div className="k-state">
      {picture}
      <Heading>{title}</Heading>
      {text !== undefined && <p>{text}</p>}
      {children !== undefined && <div className="k-state-ways">{children}</div>}
      {code !== undefined && <small>{code}</small>}
    </div>
  )
}
