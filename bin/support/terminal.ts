/** Texts of others on a terminal. */
import { stripVTControlCharacters } from 'node:util'

/** Control characters, line separators, and characters that change the direction of text. */
const UNSAFE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu

/** Text as one line, in which nothing controls the terminal or changes the direction of text. */
export const onTerminal = (text: string): string => stripVTControlCharacters(text).replaceAll(UNSAFE, ' ')

/** JSON in which such characters are escaped: the same value for a program that reads it. */
export const jsonOnTerminal = (value: unknown): string =>
  JSON.stringify(value).replaceAll(UNSAFE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
