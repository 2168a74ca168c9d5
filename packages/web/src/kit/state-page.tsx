import type { ReactNode } from 'react'
import './state-page.css'

export interface StatePageProps {
  readonly picture?: ReactNode
  readonly title: string
  /** The heading level of the title in its context. */
  readonly heading?: 'h1' | 'h2' | 'h3'
  readonly text?: string | undefined
  /** The server's error code, for support. */
  readonly code?: string | undefined
  /** Actions to continue. */
  readonly children?: ReactNode
}

/** Replaces missing content: a picture, the reason, and possible actions. */
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
