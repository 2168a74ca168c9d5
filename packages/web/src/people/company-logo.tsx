import type { ReactNode } from 'react'
import { pictureUrl } from './avatar.tsx'
import { ProductLogo } from './product-logo.tsx'

interface CompanyLogoProps {
  /** The name of the company's picture; empty shows the mark of the product. */
  readonly logo: string
  readonly size: number
}

/** The company's picture, where it has one; it says nothing to who listens, for the name stands beside it. */
export function CompanyLogo({ logo, size }: CompanyLogoProps): ReactNode {
  return logo === '' ? (
    <ProductLogo size={size} />
  ) : (
    <img src={pictureUrl(logo)} alt="" height={size} draggable={false} />
  )
}
