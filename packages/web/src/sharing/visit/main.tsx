// The page for visitors of an external link ([R228]): small, without a session, and with nothing of the product but its
// appearance.
import '../../core/theme/tokens.css'
import '../../core/theme/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { Visit } from './visit.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('the page has no root')
createRoot(root).render(
  <StrictMode>
    <Visit />
  </StrictMode>,
)
