import type { ReactNode } from 'react'
import { pictureUrl } from './avatar.tsx'
import { Mark } from './product-logo.tsx'

interface CompanyMarkProps {
  /** The name of the company's picture; empty shows the mark of the product. */
  readonly logo: string
  readonly size: number
}

/** The company's picture, where it has one; it says nothing to who listens, for the name stands beside it. */
export function CompanyMark({ logo, size }: CompanyMarkProps): ReactNode {
  return logo === '' ? <Mark size={size} /> : <img src={pictureUrl(logo)} alt="" height={size} draggable={false} />
}
