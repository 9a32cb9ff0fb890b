#include "client/table.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace reductor {
namespace {

std::string TextLine(const std::vector<std::string>& cells,
                     const std::vector<size_t>& widths) {
  std::string line;
  for (size_t i = 0; i + 1 < cells.size(); ++i) {
    absl::StrAppend(&line, cells[i],
                    std::string(widths[i] + 2 - cells[i].size(), ' '));
  }
  return absl::StrCat(line, cells.back(), "\n");
}

std::string MarkdownLine(const std::vector<std::string>& cells) {
  return absl::StrCat("| ", absl::StrJoin(cells, " | "), " |\n");
}

}  // namespace

std::string ToText(const Table& table) {
  std::vector<size_t> widths;
  for (size_t i = 0; i < table.header.size(); ++i) {
    widths.push_back(table.header[i].size());
    for (const auto& row : table.rows) {
      widths[i] = std::max(widths[i], row[i].size());
    }
  }
  std::string text = TextLine(table.header, widths);
  for (const auto& row : table.rows) text += TextLine(row, widths);
  return text;
}

std::string ToMarkdown(const Table& table) {
  std::string text = MarkdownLine(table.header);
  text += MarkdownLine(std::vector<std::string>(table.header.size(), "---"));
  for (const auto& row : table.rows) text += MarkdownLine(row);
  return text;
}

}  // namespace reductor
