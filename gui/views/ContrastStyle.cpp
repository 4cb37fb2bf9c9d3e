// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/views/ContrastStyle.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>

namespace perilune {

namespace {

void outline(QPainter* painter, const QRect& rect, const QStyleOption& option)
{
    const bool isFocused = option.state.testFlag(QStyle::State_HasFocus);
    const QPalette::ColorRole role = isFocused ? QPalette::Highlight : QPalette::WindowText;
    painter->setPen(QPen(option.palette.color(role), isFocused ? 2 : 1));
    painter->setBrush(Qt::NoBrush);
    painter->drawRect(QRectF(rect).adjusted(0.5, 0.5, -0.5, -0.5));
}

} // namespace

ContrastStyle::ContrastStyle()
    : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion")))
{
}

void ContrastStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
                                  QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    switch (element) {
    case PE_FrameLineEdit:
    case PE_PanelButtonCommand:
    case PE_IndicatorCheckBox:
    case PE_FrameTabWidget:
    case PE_FrameMenu:
        outline(painter, option->rect, *option);
        break;
    default:
        break;
    }
}

void ContrastStyle::drawControl(ControlElement element, const QStyleOption* option,
                                QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawControl(element, option, painter, widget);
    const bool isSelectedTab =
        element == CE_TabBarTabShape && option->state.testFlag(QStyle::State_Selected);
    if (isSelectedTab || element == CE_HeaderSection)
        outline(painter, option->rect, *option);
}

void ContrastStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                       QPainter* painter, const QWidget* widget) const
{
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_ComboBox || control == CC_SpinBox)
        outline(painter, option->rect, *option);
    if (control == CC_ScrollBar)
        outline(painter, subControlRect(control, option, SC_ScrollBarSlider, widget), *option);
}

} // namespace perilune
