import './core/theme/tokens.css'
import './core/theme/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { Pages } from './app/routes.tsx'
import { prepare } from './app/start.ts'
import { textsLoaded } from './core/i18n/i18n.ts'
import { MenuLayer } from './core/menu/menu-layer.tsx'
import { Boundary } from './core/page/boundary.tsx'
import { redirectPhone } from './core/session/phone.ts'
import { ToastLayer } from './core/toast/toast-layer.tsx'
import { TooltipLayer } from './kit/tooltip.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root')
if (!redirectPhone()) {
  prepare()
  const page = createRoot(root)
  // If the texts fail to load, the page uses the other language.
  void textsLoaded().finally(() =>
    page.render(
      <StrictMode>
        <BrowserRouter>
          <Boundary>
            <Pages />
          </Boundary>
          <MenuLayer />
          <ToastLayer />
          <TooltipLayer />
        </BrowserRouter>
      </StrictMode>,
    ),
  )
}
