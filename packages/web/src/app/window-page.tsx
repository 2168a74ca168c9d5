import { type ReactNode, useEffect } from 'react'
import { Navigate, useNavigate, useParams } from 'react-router'
import { windowBridge } from '../core/bridge/window-bridge.ts'
import { openFrame, windowNamed } from '../core/windows/index.ts'
import { homePath } from './login-redirect.ts'

/** A window on a page of its own: /window/:name. Its parameters are in the query. */
export function WindowPage(): ReactNode {
  const { name = '' } = useParams()
  const navigate = useNavigate()
  const definition = windowNamed(name)
  useEffect(() => {
    if (definition?.fromQuery === undefined) return
    const props = definition.fromQuery(new URLSearchParams(location.search))
    void openFrame(name, { ...definition, single: true, alone: true }, props).then(() => {
      const bridge = windowBridge()
      if (bridge.ownsWindow) bridge.press('default', 'close')
      else void navigate(homePath, { replace: true })
    })
  }, [name, definition, navigate])
  return definition?.fromQuery === undefined ? <Navigate to={homePath} replace /> : null
}
