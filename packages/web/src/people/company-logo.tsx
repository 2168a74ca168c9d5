import type { ReactNode } from 'react'
import { useSession } from '../core/session/session.ts'
import { pictureUrl } from './avatar.tsx'
import { ProductLogo } from './product-logo.tsx'

interface CompanyLogoProps {
  /** The id of the company logo; empty shows the product logo. */
  readonly logo: string
  readonly size: number
}

/** The company logo, if there is one. Hidden from screen readers, because the name is next to it. */
export function CompanyLogo({ logo, size }: CompanyLogoProps): ReactNode {
  return logo === '' ? (
    <ProductLogo size={size} />
  ) : (
    <img src={pictureUrl(logo)} alt="" height={size} draggable={false} />
  )
}

/** The company logo in the frame of the main window. */
export function FrameLogo(): ReactNode {
  return <CompanyLogo logo={useSession().serverSetting.company_logo} size={24} />
}
