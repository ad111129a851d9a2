import { resolve } from 'node:path';
import {
  API,
  type Checker,
  type Project,
  SignatureKind,
  type Symbol,
  SymbolFlags,
  type Type,
} from 'typescript/unstable/sync';
import { isTypeReferenceNode } from 'typescript/unstable/ast/is';
import type { Node } from 'typescript/unstable/ast';

const FIXTURE = resolve(import.meta.dirname, '../fixtures/editor');
const TSCONFIG = resolve(FIXTURE, 'tsconfig.json');
const BUILD = resolve(import.meta.dirname, '../../build').toLowerCase();

/** The package as TypeScript shows it to a program that imports the built files. */
export type Editor = Readonly<{
  /** The comment that a hover shows, by path such as `readUser.value.roles`. Empty without one. */
  comments: ReadonlyMap<string, string>;
  /** Types that the declaration of an export names and that the package does not export. */
  unexportedTypes: readonly string[];
}>;

/** Reads the package through TypeScript's own process, which ends before this returns. */
export function readEditor(): Editor {
  const api = new API({ cwd: FIXTURE });
  try {
    const project = api.updateSnapshot({ openProjects: [TSCONFIG] }).getProject(TSCONFIG);
    if (project === undefined) throw new Error('TypeScript did not open the fixture');
    const exported = exportsOf(project);
    return {
      comments: commentsOf(project.checker, exported),
      unexportedTypes: unexportedTypes(project.checker, exported),
    };
  } finally {
    api.close();
  }
}

function exportsOf({ checker, program }: Project): Symbol[] {
  const file = program.getSourceFile(resolve(FIXTURE, 'user.ts'));
  const module = file && checker.getSymbolAtLocation(file);
  if (module === undefined) throw new Error('TypeScript did not read the fixture');
  return checker.getExportsOfModule(module).map((symbol) => originOf(checker, symbol));
}

/** The symbol behind an import or export. */
function originOf(checker: Checker, symbol: Symbol): Symbol {
  const isAlias = (symbol.flags & SymbolFlags.Alias) !== 0;
  return isAlias ? checker.getAliasedSymbol(symbol) : symbol;
}

const isOwn = ({ declarations }: Symbol): boolean =>
  declarations.some(({ path }) => path.toLowerCase().startsWith(BUILD));

const isNamedType = ({ flags }: Symbol): boolean => (flags & SymbolFlags.TypeParameter) === 0;

/** A constant has one comment; its members are data. */
const isConstant = ({ flags, name }: Symbol): boolean =>
  (flags & SymbolFlags.Variable) !== 0 && /^[A-Z0-9_]+$/.test(name);

/** The comments of each export, and of each field behind parameters, results and lists. */
function commentsOf(checker: Checker, exported: readonly Symbol[]): Map<string, string> {
  const comments = new Map<string, string>();
  const visitedTypes = new Set<number>();
  for (const symbol of exported) visitExport(symbol);
  return comments;

  function noteComment(symbol: Symbol, path: string): void {
    comments.set(path, symbol.getDocumentationComment(checker).trim());
  }

  function visitExport(symbol: Symbol): void {
    noteComment(symbol, symbol.name);
    if (isConstant(symbol)) return;
    const type = checker.getTypeOfSymbol(symbol);
    const declared = checker.getDeclaredTypeOfSymbol(symbol);
    for (const each of [type, declared]) {
      if (each !== undefined && !each.isErrorType()) visitType(each, symbol.name);
    }
  }

  function visitType(type: Type, path: string): void {
    if (visitedTypes.has(type.id)) return;
    visitedTypes.add(type.id);
    const parts = type.isUnionType() ? type.getTypes() : [];
    for (const part of parts ?? []) visitType(part, path);
    for (const inner of typeArgumentsOf(type)) visitType(inner, path);
    for (const signature of checker.getSignaturesOfType(type, SignatureKind.Call)) {
      for (const parameter of signature.getParameters()) {
        const given = checker.getTypeOfSymbol(parameter);
        if (given !== undefined) visitType(given, path);
      }
      const result = checker.getReturnTypeOfSignature(signature);
      if (result !== undefined) visitType(result, path);
    }
    for (const property of checker.getPropertiesOfType(type)) visitProperty(property, path);
  }

  function visitProperty(property: Symbol, owner: string): void {
    if (!isOwn(property)) return;
    const path = `${owner}.${property.name}`;
    noteComment(property, path);
    const type = checker.getTypeOfSymbol(property);
    if (type !== undefined) visitType(type, path);
  }

  function typeArgumentsOf(type: Type): readonly Type[] {
    return type.isTypeReference() ? checker.getTypeArguments(type) : [];
  }
}

function unexportedTypes(checker: Checker, exported: readonly Symbol[]): string[] {
  const names = new Set(exported.map(({ name }) => name));
  const unexported = new Set<string>();
  const visit = (node: Node): void => {
    if (isTypeReferenceNode(node)) {
      const symbol = checker.getSymbolAtLocation(node.typeName);
      const origin = symbol && originOf(checker, symbol);
      if (origin && isNamedType(origin) && isOwn(origin) && !names.has(origin.name))
        unexported.add(origin.name);
    }
    node.forEachChild(visit);
  };
  for (const symbol of exported) {
    for (const handle of symbol.declarations) {
      const node = handle.resolve();
      if (node !== undefined) visit(node);
    }
  }
  return [...unexported].toSorted();
}
