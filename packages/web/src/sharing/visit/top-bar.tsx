// The bar over the page of a visitor: whose server it is, what stands open and what can be done with it, how the page looks.
import type { ReactNode } from 'react'
import type { Labels } from './labels.ts'
import { Report } from './report.tsx'
import { SkinChoice } from './skin-choice.tsx'
import { TypeIcon } from './type-icon.tsx'
import type { VisitedLink } from './visitor-api.ts'

const upload = 16
export const isCollecting = ({ rights, collects }: VisitedLink): boolean => rights === upload || collects

export interface TopBarProps {
  readonly link: VisitedLink | undefined
  readonly say: Labels
  /** The other language is wanted. */
  readonly onTurn: () => void
  /** What is told of the file or folder once one has come in. */
  readonly details?: readonly string[]
  /** What can be done with it; on a telephone it stands at the lower edge. */
  readonly children?: ReactNode
}

export function TopBar({ link, say, onTurn, details, children }: TopBarProps): ReactNode {
  return (
    <header className="vi-top">
      <i aria-hidden="true">{say('mark')}</i>
      {link?.company && <b>{link.company}</b>}
      <span className="vi-product">{link === undefined ? '' : say(isCollecting(link) ? 'collect' : 'product')}</span>
      {link !== undefined && details !== undefined && (
        <div className="vi-about">
          <TypeIcon of={link} size={24} />
          <div>
            <h1 title={link.fName}>{link.fName}</h1>
            <small title={details.join(' · ')}>{details.join(' · ')}</small>
          </div>
        </div>
      )}
      <SkinChoice say={say} />
      <button type="button" className="vi-turn" onClick={onTurn}>
        {say('other')}
      </button>
      {details !== undefined && <Report say={say} />}
      {children !== undefined && <div className="vi-acts">{children}</div>}
    </header>
  )
}
