// The frame of the pages on which people sign in another way: the picture, and a card.
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { useT } from '../../core/i18n/i18n.ts'
import { Button } from '../../kit/button.tsx'
import { BrandPicture } from '../login/brand-picture.tsx'
import { ProductLogo } from '../product-logo.tsx'
import './texts.ts'
import '../login/login.css'
import './ways.css'

const loginPath = '/doc/login'

export function SignInFrame({
  title,
  isSignedIn = false,
  children,
}: {
  readonly title: string
  /** Whoever is signed in is not led to the login page. */
  readonly isSignedIn?: boolean
  readonly children: ReactNode
}): ReactNode {
  const t = useT()
  const navigate = useNavigate()
  return (
    <div className="login">
      <BrandPicture />
      <main className="login-side">
        <div className="login-card ways-card">
          <header>
            <ProductLogo size={32} />
            <h1>{title}</h1>
          </header>
          {children}
          {!isSignedIn && (
            <Button kind="link" onClick={() => void navigate(`${loginPath}?left=1`)}>
              {t('ways.toLogin')}
            </Button>
          )}
        </div>
      </main>
    </div>
  )
}

/** Opens a page with the new session. The page is loaded anew, so that nothing of another session stays in memory. */
export function enter(path: string): void {
  location.replace(/^\/[^/\\]/.test(path) ? path : '/doc/folder/files')
}
