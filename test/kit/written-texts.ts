// Which texts an expression of the sources can be: literals, and what follows from them through constants, branches,
// parameters and calls. What only a running server knows, such as a name or a number, is written `7`.
import {
  isArrayLiteralExpression,
  isArrowFunction,
  isAsExpression,
  isAwaitExpression,
  isBinaryExpression,
  isBindingElement,
  isBlock,
  isCallExpression,
  isConditionalExpression,
  isElementAccessExpression,
  isFunctionDeclaration,
  isFunctionExpression,
  isIdentifier,
  isNewExpression,
  isNonNullExpression,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isParameterDeclaration,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isPropertySignatureDeclaration,
  isReturnStatement,
  isSatisfiesExpression,
  isShorthandPropertyAssignment,
  isSpreadAssignment,
  isSpreadElement,
  isStringLiteral,
  isTemplateExpression,
  isVariableDeclaration,
  type Node,
} from 'typescript/unstable/ast'
import { SymbolFlags, type Type } from 'typescript/unstable/sync'
import { nodesOf, type Syntax } from './syntax.ts'

/** What stands for what only a running server knows. */
const unknown = '7'

/** A piece of a text that can be more than these is read as one that nobody knows. */
const pieces_max = 60

type Func = Node & { name?: Node; body?: Node; parameters: readonly Node[] }

const isFunc = (node: Node): node is Func =>
  isFunctionDeclaration(node) || isArrowFunction(node) || isFunctionExpression(node)

export type WrittenTexts = {
  /** The texts; of a list those of its elements, of a record those of its values. */
  of: (node: Node) => readonly string[]
}

/** What has one of `properties` is looked for where records of its type are made; other properties are not known. */
export function readWrittenTexts(
  { checker, sources }: Pick<Syntax, 'checker' | 'sources'>,
  properties: readonly string[] = [],
): WrittenTexts {
  const named = new Map<string, Node[]>()
  for (const node of sources.flatMap((file) => [...nodesOf(file)])) {
    if (isIdentifier(node)) named.set(node.text, [...(named.get(node.text) ?? []), node])
  }

  const open = new Set<Node>()
  const known = new Map<Node, string[]>()

  function of(node: Node | undefined): string[] {
    if (!node || open.has(node)) return []
    const before = known.get(node)
    if (before) return before
    open.add(node)
    const found = [...new Set(read(node))]
    open.delete(node)
    known.set(node, found)
    return found
  }

  function read(node: Node): string[] {
    if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return [node.text]
    if (isTemplateExpression(node)) {
      return node.templateSpans.reduce(
        (texts, { expression, literal }) =>
          texts.flatMap((text) => partsOf(expression).map((part) => text + part + literal.text)),
        [node.head.text],
      )
    }
    if (
      isParenthesizedExpression(node) ||
      isAsExpression(node) ||
      isSatisfiesExpression(node) ||
      isNonNullExpression(node) ||
      isSpreadElement(node) ||
      isAwaitExpression(node)
    ) {
      return of(node.expression)
    }
    if (isConditionalExpression(node)) return [...of(node.whenTrue), ...of(node.whenFalse)]
    if (isBinaryExpression(node)) return ofBinary(node)
    if (isArrayLiteralExpression(node)) return node.elements.flatMap(of)
    if (isObjectLiteralExpression(node)) {
      return node.properties.flatMap((one) => {
        if (!isSpreadAssignment(one)) return of(one)
        return isOfProblems(one.expression) ? of(one.expression) : []
      })
    }
    if (isCallExpression(node)) return ofCall(node)
    if (isElementAccessExpression(node)) return of(node.expression)
    if (isFunc(node)) return ofReturns(node)
    if (isVariableDeclaration(node)) return [...of(node.initializer), ...ofChanges(node.name)]
    if (isPropertyAssignment(node)) return of(node.initializer)
    if (isPropertySignatureDeclaration(node)) return ofReferences(node)
    if (isParameterDeclaration(node)) return ofArguments(node)
    if (isBindingElement(node)) return ofBinding(node)
    if (isShorthandPropertyAssignment(node)) return of(declarationOf(node))
    if (isIdentifier(node) || isPropertyAccessExpression(node)) {
      const literals = literalsOf(node)
      return literals.length > 0 ? literals : of(declarationOf(node))
    }
    return []
  }

  /** A piece of a text: what is not written is one text too. */
  function partsOf(node: Node): string[] {
    const found = of(node)
    // Empty alone is what stands for something that is missing.
    const isKnown = found.some((text) => text !== '') && found.length <= pieces_max
    return isKnown ? found : [unknown]
  }

  function ofBinary(node: Node): string[] {
    if (!isBinaryExpression(node)) return []
    const sign = node.operatorToken.getText()
    if (sign === '+') {
      return partsOf(node.left).flatMap((one) => partsOf(node.right).map((other) => one + other))
    }
    return ['??', '||', '='].includes(sign) ? [...of(node.left), ...of(node.right)] : of(node.right)
  }

  function ofCall(node: Node): string[] {
    if (!isCallExpression(node)) return []
    const { expression: callee } = node
    if (isPropertyAccessExpression(callee)) {
      const { expression: list, name } = callee
      if (name.text === 'join') return ofJoin(list, of(node.arguments[0])[0] ?? ',')
      if (name.text === 'map' || name.text === 'flatMap') {
        const [each] = node.arguments
        return each && isFunc(each) ? ofReturns(each) : []
      }
      if (['filter', 'trim', 'find', 'slice'].includes(name.text)) return of(list)
    }
    // A table is one of its values here; any other table is one that others ask for theirs.
    if (callee.getText() === 'ownValue') return of(node.arguments[0])
    return of(declarationOf(callee))
  }

  /** What is joined after some may have been left out is each of them, and all. */
  function ofJoin(list: Node, separator: string): string[] {
    const declared = isIdentifier(list) ? declarationOf(list) : list
    const value = declared && isVariableDeclaration(declared) ? declared.initializer : declared
    const isFiltered = value !== undefined && isCallExpression(value)
    const whole =
      isFiltered && isPropertyAccessExpression(value.expression)
        ? value.expression.expression
        : value
    if (!whole || !isArrayLiteralExpression(whole) || whole.elements.length === 0) return of(list)
    const parts = whole.elements.map((one) => partsOf(one).filter((text) => text !== ''))
    const all = parts.reduce((texts, some) =>
      texts.flatMap((text) => some.map((part) => text + separator + part)),
    )
    return isFiltered ? [...parts.flat(), ...all] : all
  }

  function ofReturns(node: Func): string[] {
    if (!node.body) return []
    return isBlock(node.body) ? ofReturnsWithin(node.body) : of(node.body)
  }

  function ofReturnsWithin(node: Node): string[] {
    const found: string[] = []
    node.forEachChild((inner) => {
      if (isReturnStatement(inner)) found.push(...of(inner.expression))
      else if (!isFunc(inner)) found.push(...ofReturnsWithin(inner))
    })
    return found
  }

  /** What a list of texts, or the problems of fields, is given after it was made. */
  function ofChanges(name: Node): string[] {
    if (!isOfProblems(name)) return []
    return referencesOf(name).flatMap((reference) => {
      const access = reference.parent
      const change = access.parent
      const isWithin = isPropertyAccessExpression(access) || isElementAccessExpression(access)
      if (!isWithin || access.expression !== reference) return []
      if (isBinaryExpression(change) && change.left === access) return of(change.right)
      const isPush = isPropertyAccessExpression(access) && access.name.text === 'push'
      return isPush && isCallExpression(change) ? change.arguments.flatMap(of) : []
    })
  }

  /** Whether it is a list of texts, or of lists of texts by name, as the problems of fields are. */
  function isOfProblems(node: Node): boolean {
    const type = checker.getTypeAtLocation(node)
    const words = type ? checker.typeToString(type) : ''
    return /string\[\]|FieldErrors/.test(words) && !/number|string;|=>/.test(words)
  }

  function ofArguments(node: Node): string[] {
    const func = node.parent
    if (!func || !isFunc(func)) return []
    const at = func.parameters.indexOf(node)
    const initial = isParameterDeclaration(node) ? of(node.initializer) : []
    return [...initial, ...callsOf(func).flatMap((call) => of(call[at]))]
  }

  /** Of a property that is taken out of a record. */
  function ofBinding(node: Node): string[] {
    if (!isBindingElement(node)) return []
    const type = checker.getTypeAtLocation(node.parent)
    const name = (node.propertyName ?? node.name)?.getText() ?? ''
    const [declared] = type ? declarationsOf(type, name) : []
    return [...of(node.initializer), ...of(declared)]
  }

  /** What records that are made as ones of its type have there. */
  function ofReferences(node: Node): string[] {
    if (!isPropertySignatureDeclaration(node)) return []
    const name = node.name.getText()
    if (!properties.includes(name)) return []
    return (named.get(name) ?? []).flatMap(({ parent }) => {
      const isGiven = isPropertyAssignment(parent) || isShorthandPropertyAssignment(parent)
      if (!isGiven || !isObjectLiteralExpression(parent.parent)) return []
      const type = checker.getContextualType(parent.parent)
      const types = type?.isUnionType() ? type.getTypes() : type ? [type] : []
      return types.some((one) => declarationsOf(one, name).includes(node)) ? of(parent) : []
    })
  }

  const declarationsOf = (type: Type, name: string) =>
    (checker.getPropertyOfType(type, name)?.declarations ?? []).map((one) => one.resolve())

  /** The arguments of each call. */
  function callsOf(func: Func): (readonly Node[])[] {
    const holder = func.parent
    const name =
      isFunctionDeclaration(func) || !holder || !isVariableDeclaration(holder)
        ? func.name
        : holder.name
    if (!name) return []
    return referencesOf(name).flatMap((reference) => {
      const { parent } = reference
      const callee = isPropertyAccessExpression(parent) ? parent : reference
      const call = callee.parent
      const isCall = isCallExpression(call) || isNewExpression(call)
      return isCall && call.expression === callee ? [call.arguments ?? []] : []
    })
  }

  /** Where the sources name the same. */
  function referencesOf(name: Node): Node[] {
    const target = declarationOf(name)
    const alike = (named.get(name.getText()) ?? []).filter((one) => one !== name)
    return alike.filter((one) => declarationOf(one) === target)
  }

  function declarationOf(node: Node): Node | undefined {
    const name = isPropertyAccessExpression(node) ? node.name : node
    const symbol = isShorthandPropertyAssignment(node)
      ? checker.getShorthandAssignmentValueSymbol(node)
      : checker.getSymbolAtLocation(name)
    if (!symbol) return undefined
    const own = symbol.valueDeclaration?.resolve()
    if (own) return own
    const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0
    const target = isAlias ? checker.getAliasedSymbol(symbol) : symbol
    return target.valueDeclaration?.resolve() ?? target.declarations[0]?.resolve()
  }

  /** The texts that the type allows, where it allows only some. */
  function literalsOf(node: Node): string[] {
    const type = checker.getTypeAtLocation(node)
    const types = type?.isUnionType() ? type.getTypes() : type ? [type] : []
    return types.every((one) => one.isStringLiteralType() || one.isIntrinsicType())
      ? types.flatMap((one) => (one.isStringLiteralType() ? [one.value] : []))
      : []
  }

  return { of }
}
