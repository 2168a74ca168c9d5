import { type ReactNode, useEffect } from 'react'
import { Navigate, useNavigate, useParams } from 'react-router'
import { windowBridge } from '../core/bridge/window-bridge.ts'
import { openFrame, windowNamed } from '../core/windows/index.ts'
import { notifyFailure } from '../items/actions/operations.ts'
import { homePath } from './login-redirect.ts'

/** The documented names of windows that have names of their own here ([R068]). */
const documentedNames: Readonly<Record<string, string>> = {
  'cloudoc-files-pick': 'drive-item-pick',
  'cloudoc-files-tree-pick': 'drive-folder-pick',
}

/** Returns the window of an address, by its own or its documented name. */
export function windowOfAddress(name: string): ReturnType<typeof windowNamed> {
  return windowNamed(documentedNames[name] ?? name)
}

/** A window on a page of its own: /window/:name, or /modal/:name for two of them ([R058]). Its parameters are in the query. */
export function WindowPage(): ReactNode {
  const { name = '' } = useParams()
  const navigate = useNavigate()
  const definition = windowOfAddress(name)
  useEffect(() => {
    if (definition?.fromQuery === undefined) return
    const { fromQuery } = definition
    const show = async (): Promise<void> => {
      // What the address names may be gone, or hidden from the caller: that is said, and the files are shown.
      const props = await Promise.resolve(fromQuery(new URLSearchParams(location.search))).catch(notifyFailure)
      if (props !== undefined) {
        const result = await openFrame(name, { ...definition, single: true, alone: true }, props)
        if (result !== undefined) await definition.afterPage?.(result, props)
      }
      const bridge = windowBridge()
      if (bridge.ownsWindow) bridge.press('default', 'close')
      else void navigate(homePath, { replace: true })
    }
    void show()
  }, [name, definition, navigate])
  return definition?.fromQuery === undefined ? <Navigate to={homePath} replace /> : null
}
