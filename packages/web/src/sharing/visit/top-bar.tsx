// The bar of the visitor page: the name of the server, the opened item and its actions, and the theme.
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
  /** Called to switch the language. */
  readonly onTurn: () => void
  /** Details of the file or folder after admission. */
  readonly details?: readonly string[]
  /** The actions. On a phone they are at the bottom edge. */
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
