import { Component, type ReactNode } from 'react'
import { ChunkFailure } from './chunk-failure.tsx'

interface BoundaryProps {
  readonly children: ReactNode
  /** Names what is shown: when it changes, what broke is forgotten. Unlike a key it leaves what is the same in place. */
  readonly at?: string
}

interface BoundaryState {
  readonly error: unknown
  readonly at: string | undefined
}

/** Keeps a part of the page that broke from taking the rest with it, and offers to reload. */
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
