import { Component, type ReactNode } from 'react'
import { ChunkFailure } from './chunk-failure.tsx'

interface BoundaryProps {
  readonly children: ReactNode
  /**
   * Identifies the shown content: when it changes, the error is reset. Unlike a key, it does not remount unchanged
   * content.
   */
  readonly at?: string
}

interface BoundaryState {
  readonly error: unknown
  readonly at: string | undefined
}

/** An error boundary: a part that fails does not break the rest of the page, and a reload is offered. */
export class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { error: undefined, at: this.props.at }

  static getDerivedStateFromError(error: unknown): Partial<BoundaryState> {
    return { error }
  }

  static getDerivedStateFromProps({ at }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return at === state.at ? null : { error: undefined, at }
  }

  override render(): ReactNode {
    const { error } = this.state
    return error === undefined ? this.props.children : <ChunkFailure error={error} />
  }
}
